import { hash } from 'node:crypto'
import { canonicalJson } from '@tillwright/contract/json'

/** SHA-256, in hexadecimal, of a JSON value; the order of an object's names does not matter. */
export function canonicalHash(value: unknown): string {
  return hash('sha256', canonicalJson(value))
}
