import { exampleOf, type JsonSchema, resolveSchema } from '@tillwright/contract'
import { type Path, pathName, putAt, valueAt, withoutAt } from './at-path.ts'
import { inside, outside, type Sample } from './bounds.ts'
import { filledIn, type ServedDeployment, type Walk, wholeWith } from './fill-in.ts'
import { branchesOf, typeOf, typesOf } from './json-types.ts'

/**
 * A request part in which one value was changed. `missing`: a required field is not there; `refused`: it breaks a rule;
 * `kept`: it stands on a bound, and whatever the answer says, it is nothing about this field. `unreached`: no example
 * can be composed in which the field stands, so that nothing could be tried. `refers`: nothing was changed, the field
 * refers to an object by its id.
 */
export interface Case {
  verdict: 'missing' | 'refused' | 'kept' | 'unreached' | 'refers'
  steps: Path
  /** The steps as an error names them; empty for the whole. */
  path: string
  /** The rule that the change breaks or meets: `absent`, `type: null`, `maxLength`. */
  rule: string
  sent: unknown
}

/** Every case that follows from a JSON Schema: each field's absence, wrong types, and values at and near its bounds. */
export function casesOf(schema: JsonSchema, fits: Walk['fits']): Case[] {
  return [...casesAt({ schema, path: [], whole: exampleOf(schema) }, { root: schema, fits })]
}

/** Falsy and truthy values of each type: none may be taken for another type. */
const ofEachType = [null, false, true, 0, 7, '', 'text', [], [{}], {}, { a: 1 }] as const

function* casesAt(place: ServedDeployment, walk: Walk): Generator<Case> {
  const { schema, path } = place
  const branches = branchesOf(schema, walk.root)
  const allowed = branches.flatMap(typesOf)
  for (const value of ofEachType)
    if (!allowed.includes(typeOf(value))) yield changed(place, { rule: `type: ${typeOf(value)}`, value }, 'refused')
  for (const branch of branches) {
    if (typesOf(branch)[0] === 'null') continue
    const inBranch = filledIn({ ...place, schema: branch }, walk)
    if (inBranch === null) yield unreached(path)
    else yield* casesInBranch(inBranch, { others: branches.filter((other) => other !== branch), walk })
  }
}

function* casesInBranch(
  place: ServedDeployment,
  { others, walk }: { others: readonly JsonSchema[]; walk: Walk },
): Generator<Case> {
  const { schema, path, whole } = place
  const example = valueAt(whole, path)
  const elsewhere = others.flatMap(typesOf)
  if (schema['x-reference'] === true) yield toCase('refers', path, { rule: 'x-reference', sent: whole })
  for (const sample of outside(schema, example))
    if (!elsewhere.includes(typeOf(sample.value))) yield changed(place, sample, 'refused')
  for (const sample of inside(schema, example)) yield changed(place, sample, 'kept')
  if (typeOf(example) === 'object') yield* objectCases(place, walk)
  if (Array.isArray(example) && typeof schema.items === 'object' && !Array.isArray(schema.items))
    yield* casesAt({ schema: schema.items, path: [...path, example.length - 1], whole }, walk)
}

function* objectCases(place: ServedDeployment, walk: Walk): Generator<Case> {
  const { schema, path } = place
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const resolved = resolveSchema(property, walk.root)
    const whole = wholeWith(name, { ...place, schema: resolved }, { examples: schema.examples ?? [], walk })
    const inner = { schema: resolved, path: [...path, name], whole }
    if (whole === null) {
      yield unreached(inner.path)
      continue
    }
    if (schema.required?.includes(name) === true)
      yield toCase('missing', inner.path, { rule: 'absent', sent: withoutAt(whole, inner.path) })
    yield* casesAt(inner, walk)
  }
  if (schema.properties === undefined && typeof schema.additionalProperties === 'object')
    yield* recordCases(place, walk)
}

/** An object whose names are free: rules on the names, on their number, and on what stands under them. */
function* recordCases(place: ServedDeployment, walk: Walk): Generator<Case> {
  const { schema, path, whole } = place
  const names = resolveSchema(schema.propertyNames, walk.root)
  const entries: [string, unknown][] = Object.entries(Object(valueAt(whole, path)))
  const value: unknown = entries[0]?.[1] ?? exampleOf(resolveSchema(schema.additionalProperties, walk.root), walk.root)
  const name = entries[0]?.[0] ?? String(exampleOf({ type: 'string', ...names }, walk.root))
  for (const { rule, value: other } of outside(names, name)) {
    const inner = { ...place, path: [...path, String(other)] }
    yield changed(inner, { rule: `name: ${rule}`, value }, 'refused')
  }
  yield* numberOfNames(place, { name, value })
  const inner = [...path, name]
  yield* casesAt(
    { schema: resolveSchema(schema.additionalProperties, walk.root), path: inner, whole: putAt(whole, inner, value) },
    walk,
  )
}

function* numberOfNames(place: ServedDeployment, { name, value }: { name: string; value: unknown }): Generator<Case> {
  const { minProperties = 0, maxProperties } = place.schema
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, value]))
  if (minProperties === 1) yield changed(place, { rule: 'minProperties', value: {} }, 'refused')
  if (maxProperties === undefined) return
  yield changed(place, { rule: 'maxProperties', value: many(maxProperties + 1) }, 'refused')
  yield changed(place, { rule: 'maxProperties', value: many(maxProperties) }, 'kept')
}

function changed({ path, whole }: ServedDeployment, { rule, value }: Sample, verdict: 'refused' | 'kept'): Case {
  return toCase(verdict, path, { rule, sent: putAt(whole, path, value) })
}

function unreached(path: Path): Case {
  return toCase('unreached', path, { rule: 'composed', sent: undefined })
}

function toCase(verdict: Case['verdict'], steps: Path, { rule, sent }: { rule: string; sent: unknown }): Case {
  return { verdict, steps, path: pathName(steps), rule, sent }
}
