import { timingSafeEqual } from 'node:crypto'

/** Whether a signature is the expected one; how long this takes says nothing about where the two differ. */
export function sameSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
