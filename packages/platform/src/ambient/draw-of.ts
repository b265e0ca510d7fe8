import { hash } from 'node:crypto'

/**
 * The draw that belongs to a text, such as an id: 48 bits of its SHA-256, so that a choice can be replayed from the id
 * alone.
 *
 * @returns A number in [0, 1).
 */
export function drawOf(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, 6) / 2 ** 48
}
