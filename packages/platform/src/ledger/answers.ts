import { type Answer, finishClaim, type IdempotencyKey } from '../accounts/index.ts'
import type { Write } from '../request-context.ts'
import type { Statement } from '../storage/index.ts'

/**
 * Stores the response for a claimed idempotency key once the outcome is known. Unguarded: a response already given is
 * kept.
 */
export function answerClaim(key: Omit<IdempotencyKey, 'fingerprint'>, answer: Answer): Statement {
  const { sql, params } = finishClaim(key, answer)
  return { sql, params }
}

/**
 * Writes whose refusal has no error of its own: it means that another writer was faster. A worker leaves it at that, and
 * a request is done again from what is there now.
 */
export function withoutErrors(writes: readonly Write[]): Write[] {
  return writes.map(({ onRefused: _, ...write }) => write)
}
