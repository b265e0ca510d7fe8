import { isObject } from '@tillwright/contract/json'

/** The way to a value: names and indexes, from the outside in. */
export type Path = readonly (string | number)[]

/** The way as an error names it: `variants[0].prices[1].currencyOptions.USD.amount`. */
export function pathName(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')
}

/** The value at the end of the way, `undefined` where the way breaks off. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  )
}

/** A copy with another value at the end of the way. What is missing on the way is made. */
export function putAt(value: unknown, path: Path, placed: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return placed
  const inner = putAt(valueAt(value, [step]), rest, placed)
  if (typeof step === 'string') return { ...entriesOf(value), [step]: inner }
  const items: unknown[] = Array.isArray(value) ? [...value] : []
  items[step] = inner
  return items
}

/** A copy without the field at the end of the way. */
export function withoutAt(value: unknown, path: Path): unknown {
  const { [String(path.at(-1))]: _, ...rest } = entriesOf(valueAt(value, path.slice(0, -1)))
  return putAt(value, path.slice(0, -1), rest)
}

/** The ways to all values, the outermost first. */
export function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
  yield path
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* pathsOf(item, [...path, index])
  else for (const [name, inner] of Object.entries(entriesOf(value))) yield* pathsOf(inner, [...path, name])
}

function entriesOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? { ...value } : {}
}
