import type { Statement } from '../../storage/database.ts'
import type { NamedAttempt } from './payment-of-attempt.ts'

/**
 * The statement that has recovery ask at once about a payment whose outcome is not known. What the event says of it is
 * not taken for the outcome: the processor is asked. A payment that somebody is at work on stays as it is.
 */
export function hurryRecovery({ accountId, processorId, attemptId }: NamedAttempt): Statement {
  return {
    sql: `UPDATE payments SET lease_until = 0 WHERE account_id = ? AND status = 'processing'
      AND id = (SELECT payment_id FROM payment_attempts
        WHERE account_id = ? AND id = ? AND processor_id = ? AND status = 'processing' AND outcome = 'unknown')`,
    params: [accountId, accountId, attemptId, processorId],
  }
}
