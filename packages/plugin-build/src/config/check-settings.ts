import type { ErrorObject } from 'ajv'
import type { Finding } from '../read/finding.ts'
import { atValue, type JsonDocument } from '../read/json-document.ts'
import { objectOf } from '../read/plain.ts'
import type { SchemaCheck } from './compile-schema.ts'
import { settingFinding } from './setting-finding.ts'

/** What a preset has wrong by its schema. `meta` is about the preset and none of its settings. */
export function checkPreset(check: SchemaCheck, document: JsonDocument): Finding[] {
  return findingsOf(check, document)
}

/** What a template has wrong: the same, but that it may leave out whatever it likes. */
export function checkTemplate(check: SchemaCheck, document: JsonDocument): Finding[] {
  return findingsOf(check, document).filter(({ problem }) => problem.code !== 'setting-missing')
}

function findingsOf(check: SchemaCheck, document: JsonDocument): Finding[] {
  const { meta: _, ...settings } = objectOf(document.value)
  try {
    return withoutBranches(check(settings)).flatMap((error) => settingFinding(document, error))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [
      atValue(document, [], {
        code: 'schema-circular',
        rule: 'The schema must come to an end for these settings, but it leads back to itself.',
        fix: 'Let "$ref" in the schema go around through "properties" or "items", without a default.',
      }),
    ]
  }
}

/** What each branch has to say is of no use when none of them fits: the choice itself is told. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  return errors.filter(({ schemaPath }) => !choices.some((choice) => schemaPath.startsWith(`${choice.schemaPath}/`)))
}
