import { PatternRefused, compileLinearPattern } from '@tillwright/contract/linear-pattern'
import {
  atKey,
  atValue,
  type Complaint,
  type Finding,
  type JsonDocument,
  type JsonPath,
  listOf,
  nearMiss,
  nodeAt,
  objectOf,
  pathOfPointer,
  shortened,
} from '../json/index.ts'
import { formatNames } from './formats.ts'

/** Problems with the keywords of a schema: drafts, references, patterns, formats and unknown names. */
export function checkSchemaKeywords(document: JsonDocument): Finding[] {
  const inner = subschemas(document.value).flatMap((each) => [
    ...reference(document, each),
    ...patterns(document, each),
    ...format(document, each),
    ...keywords(document, each),
  ])
  return [...draft(document), ...inner]
}

const DRAFT = 'http://json-schema.org/draft-07/schema#'

function draft(document: JsonDocument): Finding[] {
  const uri: unknown = nodeAt(document, ['$schema'])?.value
  if (uri === undefined || (typeof uri === 'string' && isDraft07(uri))) return []
  return [
    atValue(document, ['$schema'], {
      code: 'schema-draft',
      rule: 'A settings schema must use JSON Schema draft-07.',
      fix: `Write "$schema": "${DRAFT}", or remove it.`,
    }),
  ]
}

function isDraft07(address: string): boolean {
  return /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test(address)
}

function reference(document: JsonDocument, { path, schema }: Subschema): Finding[] {
  const target = schema['$ref']
  if (typeof target !== 'string') return []
  if (!target.startsWith('#')) return [atValue(document, [...path, '$ref'], remote)]
  const found = target === '#' || (target.startsWith('#/') && nodeAt(document, stepsOf(document, target)) !== undefined)
  return found ? [] : [atValue(document, [...path, '$ref'], unresolvedReference(target))]
}

const remote: Complaint = {
  code: 'schema-remote-ref',
  rule: '"$ref" must point into the same schema: nothing is loaded from elsewhere.',
  fix: 'Copy the schema to "definitions", and refer to it as "#/definitions/<name>".',
}

function unresolvedReference(target: string): Complaint {
  return {
    code: 'schema-ref-missing',
    rule: `"$ref" must point to a schema, but there is nothing at "${shortened(target)}".`,
    fix: 'Correct the reference, or add its target to "definitions".',
  }
}

/** Array indexes become numbers. */
function stepsOf(document: JsonDocument, target: string): JsonPath {
  const steps: (string | number)[] = []
  for (const step of pathOfPointer(decoded(target))) {
    steps.push(nodeAt(document, steps)?.type === 'array' ? Number(step) : step)
  }
  return steps
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function patterns(document: JsonDocument, { path, schema }: Subschema): Finding[] {
  const own = typeof schema['pattern'] === 'string' ? refusalOf(schema['pattern']) : null
  return [
    ...(own === null ? [] : [atValue(document, [...path, 'pattern'], own)]),
    ...Object.keys(Object(schema['patternProperties'])).flatMap((pattern) => {
      const refusal = refusalOf(pattern)
      return refusal === null ? [] : [atKey(document, [...path, 'patternProperties', pattern], refusal)]
    }),
  ]
}

/** The platform refuses the same patterns when settings are synced. */
function refusalOf(pattern: string): Complaint | null {
  try {
    compileLinearPattern(pattern)
    return null
  } catch (error) {
    if (!(error instanceof PatternRefused)) throw error
    return { code: 'schema-pattern', ...error.refusal }
  }
}

function format(document: JsonDocument, { path, schema }: Subschema): Finding[] {
  const name = schema['format']
  if (typeof name !== 'string' || formatNames.includes(name)) return []
  const meant = nearMiss(name, formatNames)
  return [
    atValue(document, [...path, 'format'], {
      code: 'format-unknown',
      severity: 'warning',
      rule: `The format "${shortened(name)}" does not exist, so it has no effect.`,
      fix: meant === null ? 'Remove it, or use "pattern" instead.' : `Did you mean "${meant}"?`,
    }),
  ]
}

/** The keywords of draft-07, those added by Ajv, and those that forms read. */
const known =
  '$schema $id $ref $comment $defs definitions title description default readOnly writeOnly examples multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern additionalItems items maxItems minItems uniqueItems contains maxProperties minProperties required additionalProperties patternProperties properties dependencies propertyNames const enum type format contentMediaType contentEncoding if then else allOf anyOf oneOf not nullable deprecated'.split(
    ' ',
  )

/** Schemas may have unknown keywords; one that resembles a keyword of draft-07 is probably a misspelling. */
function keywords(document: JsonDocument, { path, schema }: Subschema): Finding[] {
  return Object.keys(schema).flatMap((word) => {
    const meant = known.includes(word) || word.includes(':') ? null : nearMiss(word, known)
    if (meant === null || meant in schema) return []
    return [
      atKey(document, [...path, word], {
        code: 'schema-unknown-keyword',
        severity: 'warning',
        rule: `"${shortened(word)}" is not a JSON Schema keyword, so it has no effect.`,
        fix: `Did you mean "${meant}"?`,
      }),
    ]
  })
}

/** A nested schema with its path. */
interface Subschema {
  path: JsonPath
  schema: Record<string, unknown>
}

/** The keywords of draft-07 that contain schemas: one schema, a list, or an object of schemas by name. */
const ONE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]
const LISTS = ['items', 'allOf', 'anyOf', 'oneOf']
const NAMED = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies']

/** A schema and all nested schemas, from the outside in. Values that are not objects are skipped. */
function subschemas(value: unknown, path: JsonPath = []): Subschema[] {
  const schema = objectOf(value)
  if (schema !== value && Object.keys(schema).length === 0) return []
  const inner = [
    ...ONE.filter((word) => !Array.isArray(schema[word])).map((word) => [schema[word], [...path, word]] as const),
    ...LISTS.flatMap((word) => listOf(schema[word]).map((one, index) => [one, [...path, word, index]] as const)),
    ...NAMED.flatMap((word) =>
      Object.entries(objectOf(schema[word])).map(([name, one]) => [one, [...path, word, name]] as const),
    ),
  ]
  return [{ path, schema }, ...inner.flatMap(([one, where]) => subschemas(one, where))]
}
