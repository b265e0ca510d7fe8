import { exampleOf, resolveSchema, type JsonSchema } from '@tillwright/contract'
import { pathName, putAt, valueAt, withoutAt, type Path } from './at-path.ts'
import { inside, outside, type Sample } from './bounds.ts'
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
  /** What was changed: `absent`, `type: null`, `maxLength`. */
  rule: string
  sent: unknown
}

/** What the whole walk over one schema shares: the document of its references, and whether a value passes. */
interface Walk {
  root: JsonSchema
  fits: (value: unknown) => boolean
}

/** A place in the schema, with a whole example in which it is filled in. */
interface Place {
  schema: JsonSchema
  path: Path
  whole: unknown
}

/** Every case that follows from a JSON Schema: each field's absence, wrong types, and values beside and on its bounds. */
export function casesOf(schema: JsonSchema, fits: Walk['fits']): Case[] {
  return [...casesAt({ schema, path: [], whole: exampleOf(schema) }, { root: schema, fits })]
}

/** What is falsy and what is not: neither may be taken for something else. */
const ofEachType = [null, false, true, 0, 7, '', 'text', [], [{}], {}, { a: 1 }] as const

function* casesAt(place: Place, walk: Walk): Generator<Case> {
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

/** The place with an example of its own branch in it; an array gets two items, the first with what is required alone. */
function filledIn(place: Place, walk: Walk): Place | null {
  const { schema, path, whole } = place
  const { default: _, ...undefaulted } = schema
  const given = valueAt(whole, path)
  const examples = [
    ...(isOfBranch(given, schema, walk) ? [given] : []),
    ...(schema.examples ?? []),
    exampleOf(undefaulted, walk.root),
  ]
  const wanted = examples.filter((example) => typesOf(schema).includes(typeOf(example)))
  for (const example of wanted.flatMap((one) => [...twoItems(one, schema, walk), one])) {
    if (Array.isArray(example) && example.length === 0 && schema.items !== undefined) continue
    const filled = putAt(whole, path, example)
    if (walk.fits(filled)) return { ...place, whole: filled }
  }
  return null
}

/** Of several shapes that are objects, a constant tells which one a value has. */
function isOfBranch(value: unknown, schema: JsonSchema, { root }: Walk): boolean {
  if (!typesOf(schema).includes(typeOf(value))) return false
  return Object.entries(schema.properties ?? {}).every(([name, property]) => {
    const { const: constant } = resolveSchema(property, root)
    return constant === undefined || valueAt(value, [name]) === constant
  })
}

function twoItems(example: unknown, schema: JsonSchema, walk: Walk): unknown[][] {
  if (!Array.isArray(example) || typeof schema.items !== 'object' || Array.isArray(schema.items)) return []
  const composed: unknown = example[0] ?? exampleOf(schema.items, walk.root)
  return [[requiredOnly(composed, schema.items, walk), composed]]
}

function requiredOnly(value: unknown, schema: JsonSchema, { root }: Walk): unknown {
  if (typeOf(value) !== 'object') return value
  const { required = [], properties } = resolveSchema(schema, root)
  if (properties === undefined) return value
  return Object.fromEntries(Object.entries(Object(value)).filter(([name]) => required.includes(name)))
}

function* casesInBranch(
  place: Place,
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

function* objectCases(place: Place, walk: Walk): Generator<Case> {
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

/** An example in which the property stands: the one at hand, or one of the object's others where fields exclude each other. */
function wholeWith(
  name: string,
  { schema, path, whole }: Place,
  { examples, walk }: { examples: readonly unknown[]; walk: Walk },
): unknown {
  const objects = [valueAt(whole, path), ...examples].filter((value) => typeOf(value) === 'object')
  const having = objects.toSorted((one, other) => Number(has(other, name)) - Number(has(one, name)))
  for (const object of having) {
    const filled = has(object, name) ? object : putAt(object, [name], exampleOf(schema, walk.root))
    const candidate = putAt(whole, path, filled)
    if (walk.fits(candidate)) return candidate
  }
  return null
}

function has(value: unknown, name: string): boolean {
  return valueAt(value, [name]) !== undefined
}

/** An object whose names are free: rules on the names, on their number, and on what stands under them. */
function* recordCases(place: Place, walk: Walk): Generator<Case> {
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

function* numberOfNames(place: Place, { name, value }: { name: string; value: unknown }): Generator<Case> {
  const { minProperties = 0, maxProperties } = place.schema
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, value]))
  if (minProperties === 1) yield changed(place, { rule: 'minProperties', value: {} }, 'refused')
  if (maxProperties === undefined) return
  yield changed(place, { rule: 'maxProperties', value: many(maxProperties + 1) }, 'refused')
  yield changed(place, { rule: 'maxProperties', value: many(maxProperties) }, 'kept')
}

function changed({ path, whole }: Place, { rule, value }: Sample, verdict: 'refused' | 'kept'): Case {
  return toCase(verdict, path, { rule, sent: putAt(whole, path, value) })
}

function unreached(path: Path): Case {
  return toCase('unreached', path, { rule: 'composed', sent: undefined })
}

function toCase(verdict: Case['verdict'], steps: Path, { rule, sent }: { rule: string; sent: unknown }): Case {
  return { verdict, steps, path: pathName(steps), rule, sent }
}
