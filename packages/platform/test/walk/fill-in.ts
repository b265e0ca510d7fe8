import { exampleOf, type JsonSchema, resolveSchema } from '@tillwright/contract'
import { type Path, putAt, valueAt } from './at-path.ts'
import { typeOf, typesOf } from './json-types.ts'

/** Context of a walk over one schema: the document of its references, and the validation of a value. */
export interface Walk {
  root: JsonSchema
  fits: (value: unknown) => boolean
}

/** A place in the schema, with a whole example in which it is filled in. */
export interface ServedDeployment {
  schema: JsonSchema
  path: Path
  whole: unknown
}

/** The place with an example of its own branch in it; an array gets two items, the first with what is required alone. */
export function filledIn(place: ServedDeployment, walk: Walk): ServedDeployment | null {
  const { schema, path, whole } = place
  const { default: _, ...undefaulted } = schema
  const given = valueAt(whole, path)
  const examples = [
    ...(isOfBranch(given, schema, walk) ? [given] : []),
    ...(schema.examples ?? []),
    exampleOf(undefaulted, walk.root),
  ]
  const wanted = examples.filter((example) => typesOf(schema).includes(typeOf(example)))
  // Another example may have what goes with this branch and not with that.
  for (const around of [whole, ...(walk.root.examples ?? [])]) {
    for (const example of wanted.flatMap((one) => [...twoItems(one, schema, walk), one])) {
      if (Array.isArray(example) && example.length === 0 && schema.items !== undefined) continue
      const filled = putAt(around, path, example)
      if (walk.fits(filled)) return { ...place, whole: filled }
    }
  }
  return null
}

/** An example in which the property stands: the one at hand, or one of the object's others where fields exclude each other. */
export function wholeWith(
  name: string,
  { schema, path, whole }: ServedDeployment,
  { examples, walk }: { examples: readonly unknown[]; walk: Walk },
): unknown {
  const objects = [valueAt(whole, path), ...examples].filter((value) => typeOf(value) === 'object')
  const having = objects.toSorted((one, other) => Number(has(other, name)) - Number(has(one, name)))
  for (const object of having) {
    const isThere = valueAt(object, [name]) !== undefined
    const filled = isThere ? object : putAt(object, [name], exampleOf(schema, walk.root))
    const candidate = putAt(whole, path, filled)
    if (walk.fits(candidate)) return candidate
  }
  return null
}

/** An example with a `null` shows less of a field than one with a value. */
function has(value: unknown, name: string): boolean {
  return valueAt(value, [name]) != null
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
