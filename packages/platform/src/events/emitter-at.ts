import { newId } from '../ambient/ids.ts'
import type { Parts } from '../call.ts'
import type { Emitter } from './emit.ts'

/** Who emits an account's events now: a worker, or a request that has waited for somebody since it came. */
export function emitterAt(accountId: string, { clock, randomness }: Pick<Parts, 'clock' | 'randomness'>): Emitter {
  const nowMs = clock.now()
  return { nowMs, caller: { accountId }, newId: (prefix) => newId(prefix, nowMs, randomness) }
}
