/** An object of JSON. Its names come from outside, `__proto__` among them, so values are read by `valueOf`. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Value of an own property; `undefined` without it, and for values that are no objects. */
export function valueOf(object: unknown, name: string): unknown {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined
}

/** An object with another value under a name; `undefined` takes the name away. The order of the names stays. */
export function withValue(object: JsonObject, name: string, value: unknown): JsonObject {
  const entries = Object.entries(object)
  const index = entries.findIndex(([each]) => each === name)
  if (value === undefined) return Object.fromEntries(entries.filter(([each]) => each !== name))
  return Object.fromEntries(index === -1 ? [...entries, [name, value]] : entries.with(index, [name, value]))
}

/** Whether two values are the same JSON, in whatever order their names are. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSameJson(each, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return Object.is(one, other)
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  )
}
