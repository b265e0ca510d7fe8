import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { compileLinearPattern } from '@tillwright/contract/linear-pattern'
import type { Finding } from '../read/finding.ts'
import { atValue, type Complaint, type JsonDocument } from '../read/json-document.ts'
import { addFormats } from './formats.ts'
import { settingFinding } from './setting-finding.ts'
import { wrongWords } from './wrong-words.ts'

/** Checks settings by a schema: the errors, none where they fit. */
export type SchemaCheck = (settings: unknown) => readonly ErrorObject[]

/** What became of a schema: its check, left out where the schema is wrong, and what is wrong with it. */
export interface CompiledSchema {
  check?: SchemaCheck
  findings: Finding[]
}

/** Compiles a JSON Schema of draft-07, with the formats of the contract. What has a default need not be there. */
export function compileSchema(document: JsonDocument): CompiledSchema {
  const words = wrongWords(document)
  if (words.some(({ problem }) => problem.severity === 'error')) return { findings: words }
  const wrong = againstDraft(document)
  if (wrong.length > 0) return { findings: [...words, ...wrong] }
  try {
    const check = checkOf(compile(document))
    check({})
    return { check, findings: words }
  } catch (error) {
    return { findings: [...words, atValue(document, [], uncompilable(error))] }
  }
}

let draft: ValidateFunction | undefined

/** The draft's own schema is compiled once: it would be most of the time. */
function againstDraft(document: JsonDocument): Finding[] {
  draft ??= new Ajv({ allErrors: true, strict: false, logger: false, verbose: true, validateFormats: false }).getSchema(
    'http://json-schema.org/draft-07/schema',
  )
  const { $schema: _, ...schema } = Object(document.value) as Record<string, unknown>
  if (draft?.(schema) !== false) return []
  return (draft.errors ?? [])
    .flatMap((error) => settingFinding(document, error))
    .map(({ problem }) => ({
      problem: { ...problem, code: 'schema-invalid' },
    }))
}

function compile(document: JsonDocument): ValidateFunction {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    useDefaults: true,
    verbose: true,
    logger: false,
    meta: false,
    validateSchema: false,
    code: { optimize: false, regExp }, // each is used a few times only
  })
  // A document's value that passed the draft's schema is an object.
  const { $schema: _, $id: __, $async: ___, ...schema } = document.value as Record<string, unknown>
  return addFormats(ajv).compile(schema)
}

/** The platform runs patterns by the same engine. Ajv wants `code` of whoever prints what it has compiled. */
const regExp = Object.assign((pattern: string) => compileLinearPattern(pattern), { code: 'compileLinearPattern' })

/** Defaults are filled into a copy. */
function checkOf(validate: ValidateFunction): SchemaCheck {
  return (settings) => (validate(structuredClone(settings)) ? [] : (validate.errors ?? []))
}

/** A schema can pass every rule and have no end all the same: one that refers to itself without going deeper. */
function uncompilable(error: unknown): Complaint {
  if (error instanceof RangeError) {
    return {
      code: 'schema-circular',
      rule: 'A schema must come to an end, but this one leads back to itself without going deeper.',
      fix: 'Let "$ref" go around through "properties" or "items", without a default.',
    }
  }
  return {
    code: 'schema-invalid',
    rule: `A schema of settings must be one that can be compiled: ${error instanceof Error ? error.message : 'it is not'}.`,
    fix: 'Correct what the sentence names.',
  }
}
