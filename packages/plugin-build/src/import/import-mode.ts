import { olderModes } from '../read/older-shapes.ts'
import { objectOf } from '../read/plain.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * Gives a plugin of an older mode today's. What ran in an iframe was one application, which spa-mode serves on a host of
 * its own; what was proxied was a document per page, as direct-mode has it.
 */
export function importMode(rewriting: Rewriting): void {
  const { mode } = objectOf(rewriting.value)
  const now = typeof mode === 'string' && Object.hasOwn(olderModes, mode) ? olderModes[mode] : undefined
  if (now === undefined) return
  const meaning = now === 'spa-mode' ? 'one application on a host of its own, in no iframe' : 'a document per page'
  rewriting.set(['mode'], now, `The mode "${String(mode)}" is now "${now}": ${meaning}.`)
}
