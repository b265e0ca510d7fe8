import type { ErrorObject } from 'ajv'
import { configFormats } from '@tillwright/contract'
import type { Finding } from '../read/finding.ts'
import { atKey, atValue, nodeAt, type JsonDocument } from '../read/json-document.ts'
import { pathOfPointer, shortened, spoken, type JsonPath } from '../read/json-pointer.ts'
import { nearMiss } from '../read/near-miss.ts'

/** What Ajv has found, as a problem at its place; none for an error that only sums up others. */
export function settingFinding(document: JsonDocument, error: ErrorObject): Finding[] {
  const path = stepsIn(document, error.instancePath)
  switch (error.keyword) {
    case 'if':
      return [] // what `then` or `else` found is told by itself
    case 'required':
    case 'dependencies':
      return [missing(document, path, String(error.params['missingProperty']))]
    case 'additionalProperties':
      return [tooMuch(document, path, error)]
    case 'propertyNames':
      return [
        atKey(
          document,
          [...path, String(error.params['propertyName'])],
          invalid('The name', 'must be one that the schema allows'),
        ),
      ]
  }
  return [atValue(document, path, invalid(subject(path), ruleOf(error), fixOf(error)))]
}

function invalid(what: string, rule: string, fix = 'Correct the value, or what the schema says of it.') {
  return { code: 'setting-invalid', rule: `${what} ${rule}.`, fix }
}

function subject(path: JsonPath): string {
  return path.length === 0 ? 'This' : spoken(path)
}

/** Ajv writes numbers of items as text. */
function stepsIn(document: JsonDocument, pointer: string): JsonPath {
  const steps: (string | number)[] = []
  for (const step of pathOfPointer(pointer)) {
    steps.push(nodeAt(document, steps)?.type === 'array' ? Number(step) : step)
  }
  return steps
}

function missing(document: JsonDocument, path: JsonPath, name: string): Finding {
  return atValue(document, [...path, name], {
    code: 'setting-missing',
    rule: `${spoken([...path, name])} must be there: the schema requires it and has no default for it.`,
    fix: `Add "${shortened(name)}", or give it a default in the schema.`,
  })
}

function tooMuch(document: JsonDocument, path: JsonPath, { params, parentSchema }: ErrorObject): Finding {
  const name = String(params['additionalProperty'])
  const meant = nearMiss(name, Object.keys(Object(parentSchema?.['properties'])))
  return atKey(document, [...path, name], {
    code: 'setting-unknown',
    rule: `${spoken([...path, name])} must not be there: the schema knows no such setting.`,
    fix: meant === null ? 'Take it out, or add it to the schema.' : `Did you mean "${meant}"?`,
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
      return 'must fit one of the shapes that the schema names, and with "oneOf" only one'
    case 'not':
      return 'must not fit what the schema rules out'
  }
  return message ?? 'must fit the schema'
}

function listed(choices: unknown): string {
  const [...all] = Array.isArray(choices) ? choices : []
  const shown = all.slice(0, 20).map((choice) => shortened(JSON.stringify(choice)))
  return [...shown, ...(all.length > shown.length ? ['…'] : [])].join(', ')
}

function fixOf({ keyword, schema, data }: ErrorObject): string | undefined {
  if (keyword !== 'enum' || typeof data !== 'string' || !Array.isArray(schema)) return undefined
  const meant = nearMiss(
    data,
    schema.filter((choice) => typeof choice === 'string'),
  )
  return meant === null ? undefined : `Did you mean ${JSON.stringify(meant)}?`
}
