import { finishClaim, type Answer, type IdempotencyKey } from '../accounts/idempotency-keys.ts'
import type { Statement } from '../storage/database.ts'

/**
 * The statement that stores the answer for whoever waits under a key, once the outcome is known. Who was answered already
 * keeps that answer: nothing is guarded.
 */
export function answerClaim(key: Omit<IdempotencyKey, 'fingerprint'>, answer: Answer): Statement {
  const { sql, params } = finishClaim(key, answer)
  return { sql, params }
}
