import { hash } from 'node:crypto'

/** SHA-256, in hexadecimal, of a JSON value; the order of an object's names does not matter. */
export function canonicalHash(value: unknown): string {
  return hash('sha256', canonical(value))
}

/** JSON with the names of each object in order. Objects with their names in order would take several times as long. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
  return `{${members.join(',')}}`
}
