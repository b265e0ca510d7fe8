import { hash } from 'node:crypto'

/** SHA-256, in hexadecimal, of a JSON value; the order of an object's names does not matter. */
export function canonicalHash(value: unknown): string {
  return hash(
    'sha256',
    JSON.stringify(value, (_, inner: unknown) => (isPlainObject(inner) ? sorted(inner) : inner)),
  )
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
