import { compileLinearPattern } from '@tillwright/contract/linear-pattern'
import { configFormats } from '@tillwright/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import {
  atKey,
  atValue,
  type Complaint,
  type Finding,
  type JsonDocument,
  type JsonPath,
  jsonPointer,
  listOf,
  nearMiss,
  nodeAt,
  objectOf,
  pathOfPointer,
  pathText,
  renameKey,
  replaceValue,
  shortened,
} from '../json/index.ts'
import type { Problem } from '../problem.ts'
import { addFormats } from './formats.ts'
import { checkSchemaKeywords } from './schema-words.ts'

/** Validates settings against a schema; no errors if they are valid. */
interface SchemaCheck {
  (settings: unknown): readonly ErrorObject[]
  /** The schema itself. */
  schema: unknown
}

/** A compiled schema: its check, unless it has errors, and its problems. */
export interface CompiledSchema {
  check?: SchemaCheck
  findings: Finding[]
}

/** Compiles a JSON Schema of draft-07 with the contract's formats. Settings with a default are not required. */
export function compileSchema(document: JsonDocument): CompiledSchema {
  const words = checkSchemaKeywords(document)
  if (words.some(({ problem }) => problem.severity === 'error')) return { findings: words }
  const wrong = againstDraft(document)
  if (wrong.length > 0) return { findings: [...words, ...wrong] }
  try {
    const check = checkOf(compile(document), document.value)
    check({})
    return { check, findings: words }
  } catch (error) {
    return { findings: [...words, atValue(document, [], uncompilable(error))] }
  }
}

let draft: ValidateFunction | undefined

/** The draft's own schema is compiled once, because that takes most of the time. */
function againstDraft(document: JsonDocument): Finding[] {
  draft ??= new Ajv({ allErrors: true, strict: false, logger: false, verbose: true, validateFormats: false }).getSchema(
    'http://json-schema.org/draft-07/schema',
  )
  const { $schema: _, ...schema } = Object(document.value) as Record<string, unknown>
  if (draft?.(schema) !== false) return []
  return oneBranchOf(draft.errors ?? [])
    .flatMap((error) => settingFinding(document, error))
    .map(({ problem }) => ({
      problem: { ...problem, code: 'schema-invalid' },
    }))
}

/** Of the errors of a choice, such as a text or a list of them, that of its first branch, or those further inside. */
function oneBranchOf(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = new Set(errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath))
  return errors.filter((error) => {
    const { instancePath: place } = error
    if (!choices.has(place)) return true
    const isFirst = errors.find(({ instancePath }) => instancePath === place) === error
    return isFirst && !errors.some(({ instancePath }) => instancePath.startsWith(`${place}/`))
  })
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
    ownProperties: true, // a setting may be called `constructor`
    code: { optimize: false, regExp }, // each is used only a few times
  })
  // A document's value that is valid by the draft's schema is an object.
  const { $schema: _, $id: __, $async: ___, ...schema } = document.value as Record<string, unknown>
  return addFormats(ajv).compile(schema)
}

/** The platform runs patterns with the same engine. Ajv needs `code` only to print what it compiled. */
const regExp = Object.assign((pattern: string) => compileLinearPattern(pattern), { code: 'compileLinearPattern' })

/** Ajv writes defaults into the value, so it gets a copy. */
function checkOf(validate: ValidateFunction, schema: unknown): SchemaCheck {
  const check = (settings: unknown) => (validate(structuredClone(settings)) ? [] : (validate.errors ?? []))
  return Object.assign(check, { schema })
}

/** A schema can be valid and still be infinite, if it refers to itself without going deeper. */
function uncompilable(error: unknown): Complaint {
  if (error instanceof RangeError) {
    return {
      code: 'schema-circular',
      rule: 'A schema must not refer to itself without going deeper.',
      fix: 'Let "$ref" pass through "properties" or "items", without a default.',
    }
  }
  return {
    code: 'schema-invalid',
    rule: `A settings schema must compile, but it does not: ${error instanceof Error ? error.message : 'unknown error'}.`,
    fix: 'Correct what the message describes.',
  }
}

/** Validates a preset. `meta` describes the preset and is not a setting. */
export function checkPreset(check: SchemaCheck, document: JsonDocument): Finding[] {
  return findingsOf(check, document)
}

/** Validates a template. Unlike a preset, it may leave out required settings. */
export function checkTemplate(check: SchemaCheck, document: JsonDocument): Finding[] {
  return findingsOf(check, document).filter(({ problem }) => problem.code !== 'setting-missing')
}

function findingsOf(check: SchemaCheck, document: JsonDocument): Finding[] {
  const { meta: _, ...settings } = objectOf(document.value)
  try {
    const misspelt = misspeltSettings(document, { path: [], value: settings, schema: check.schema })
    const misspeltAt = new Set(misspelt.flatMap(({ meant, written }) => [meant, written].map(jsonPointer)))
    const found = withoutBranches(check(settings)).flatMap((error) => settingFinding(document, error))
    return [
      ...misspelt.map(({ finding }) => finding),
      ...found.filter(({ problem }) => !isOfName(problem) || !misspeltAt.has(pointerIn(document, problem))),
    ]
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [
      atValue(document, [], {
        code: 'schema-circular',
        rule: 'The schema must not refer to itself without going deeper for these settings.',
        fix: 'Let "$ref" in the schema pass through "properties" or "items", without a default.',
      }),
    ]
  }
}

/** Problems that a misspelt name has as well. */
function isOfName({ code }: Problem): boolean {
  return code === 'setting-missing' || code === 'setting-unknown'
}

/** The pointer of a problem from where the document begins. */
function pointerIn({ base }: JsonDocument, { pointer }: Problem): string {
  return (pointer ?? '').slice(jsonPointer(base).length)
}

/** A setting under a name that the schema does not have, but that is near to one. */
interface Misspelt {
  written: JsonPath
  meant: JsonPath
  finding: Finding
}

/**
 * Settings whose name is near to one of the schema that is not there. It is an error where that one is required, or where the
 * schema allows no others; else the setting would be kept, and its default used.
 */
function misspeltSettings(
  document: JsonDocument,
  { path, value, schema }: { path: JsonPath; value: unknown; schema: unknown },
): Misspelt[] {
  const { properties, required, additionalProperties } = objectOf(schema)
  const [known, settings] = [objectOf(properties), objectOf(value)]
  const free = new Set(Object.keys(known).filter((name) => !Object.hasOwn(settings, name)))
  return Object.entries(settings).flatMap(([name, inner]) => {
    const written = [...path, name]
    if (Object.hasOwn(known, name))
      return misspeltSettings(document, { path: written, value: inner, schema: known[name] })
    const meant = nearMiss(name, free)
    if (meant === null) return []
    free.delete(meant)
    const isError = listOf(required).includes(meant) || additionalProperties === false
    const finding = atKey(document, written, {
      code: 'setting-unknown',
      severity: isError ? 'error' : 'warning',
      rule: `${pathText(written)} must not be there: the schema has no such setting.`,
      fix: `Did you mean "${meant}"?`,
      repair: renameKey(document, written, meant),
    })
    return [{ written, meant: [...path, meant], finding }]
  })
}

/** Drops the errors of each branch of `anyOf` and `oneOf` if none matches: the error of the choice itself is enough. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  return errors.filter(({ schemaPath }) => !choices.some((choice) => schemaPath.startsWith(`${choice.schemaPath}/`)))
}

/** Converts an error of Ajv to a problem at its position; empty for an error that only summarizes others. */
function settingFinding(document: JsonDocument, error: ErrorObject): Finding[] {
  const path = stepsIn(document, error.instancePath)
  switch (error.keyword) {
    case 'if':
      return [] // the errors of `then` or `else` are reported themselves
    case 'required':
    case 'dependencies':
      return [missingSetting(document, path, String(error.params['missingProperty']))]
    case 'additionalProperties':
      return [unknownSetting(document, path, error)]
    case 'propertyNames':
      return [
        atKey(
          document,
          [...path, String(error.params['propertyName'])],
          invalid('The name', 'must be one that the schema allows'),
        ),
      ]
  }
  const meant = meantChoice(error)
  const complaint = invalid(
    subject(path),
    ruleOf(error),
    meant === null ? undefined : `Did you mean ${JSON.stringify(meant)}?`,
  )
  return [
    atValue(document, path, {
      ...complaint,
      ...(meant !== null && path.length > 0 && { repair: replaceValue(document, path, meant) }),
    }),
  ]
}

function invalid(what: string, rule: string, fix = 'Correct the value or the schema.') {
  return { code: 'setting-invalid', rule: `${what} ${rule}.`, fix }
}

function subject(path: JsonPath): string {
  return path.length === 0 ? 'This' : pathText(path)
}

/** Ajv writes array indexes as text. */
function stepsIn(document: JsonDocument, pointer: string): JsonPath {
  const steps: (string | number)[] = []
  for (const step of pathOfPointer(pointer)) {
    steps.push(nodeAt(document, steps)?.type === 'array' ? Number(step) : step)
  }
  return steps
}

function missingSetting(document: JsonDocument, path: JsonPath, name: string): Finding {
  return atValue(document, [...path, name], {
    code: 'setting-missing',
    rule: `${pathText([...path, name])} is required: the schema has no default for it.`,
    fix: `Add "${shortened(name)}", or give it a default in the schema.`,
  })
}

function unknownSetting(document: JsonDocument, path: JsonPath, { params, parentSchema }: ErrorObject): Finding {
  const name = String(params['additionalProperty'])
  const meant = nearMiss(name, Object.keys(Object(parentSchema?.['properties'])))
  return atKey(document, [...path, name], {
    code: 'setting-unknown',
    rule: `${pathText([...path, name])} must not be there: the schema has no such setting.`,
    fix: meant === null ? 'Remove it, or add it to the schema.' : `Did you mean "${meant}"?`,
  })
}

function ruleOf({ keyword, params, schema, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}`
    case 'enum':
      return `must be one of ${listed(schema)}`
    case 'const':
      return `must be ${JSON.stringify(schema)}`
    case 'format':
      return configFormats[String(schema)]?.rule ?? `must be written as "${String(schema)}"`
    case 'anyOf':
    case 'oneOf':
      return 'must match one of the shapes in the schema, and with "oneOf" only one'
    case 'not':
      return 'must not match what the schema excludes'
  }
  return message ?? 'must match the schema'
}

function listed(choices: unknown): string {
  const [...all] = Array.isArray(choices) ? choices : []
  const shown = all.slice(0, 20).map((choice) => shortened(JSON.stringify(choice)))
  return [...shown, ...(all.length > shown.length ? ['…'] : [])].join(', ')
}

/** The choice that was probably meant by another text; `null` if none is near. */
function meantChoice({ keyword, schema, data }: ErrorObject): string | null {
  if (keyword !== 'enum' || typeof data !== 'string' || !Array.isArray(schema)) return null
  return nearMiss(
    data,
    schema.filter((choice) => typeof choice === 'string'),
  )
}
