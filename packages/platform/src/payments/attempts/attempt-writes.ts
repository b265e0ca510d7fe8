import type { Payment, PaymentAttempt } from '@tillwright/contract'
import type { Write } from '../../call.ts'
import type { Statement } from '../../storage/database.ts'

/** An attempt that is about to be put on record, before its processor is asked. */
export interface NewAttempt {
  attempt: PaymentAttempt
  payment: Pick<Payment, 'id' | 'accountId' | 'preview'>
  /** 1 for the payment's first. */
  ordinal: number
  cardFingerprint: string
}

/**
 * The statement that records an attempt. It is refused (duplicate) as long as another attempt of the payment is under way
 * or has taken the money: an index of the table says so, whoever writes.
 */
export function insertAttempt({ attempt, payment, ordinal, cardFingerprint }: NewAttempt, nowMs: number): Write {
  return {
    sql: `INSERT INTO payment_attempts
        (account_id, id, payment_id, processor_id, status, decision, created_at, ordinal, card_fingerprint)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      payment.accountId,
      attempt.id,
      payment.id,
      attempt.processorId,
      attempt.status,
      JSON.stringify(attempt.decision),
      nowMs,
      ordinal,
      payment.preview === null ? cardFingerprint : null, // what a preview declines counts against no card
    ],
  }
}

/**
 * The statement that records what became of an attempt. Its guard is that nobody knew yet: an outcome is never changed.
 * It names the payment as well: a PostgreSQL that has planned it on an empty table may look by that index.
 */
export function finishAttempt(
  finished: PaymentAttempt,
  payment: Pick<Payment, 'id' | 'accountId'>,
  { reference, nowMs }: { reference: string | null; nowMs: number },
): Write {
  return {
    sql: `UPDATE payment_attempts SET status = ?, decline_code = ?, outcome = ?, advice = ?, reference = ?, finished_at = ?
      WHERE account_id = ? AND payment_id = ? AND id = ? AND status = 'processing'`,
    params: [
      finished.status,
      finished.declineCode,
      finished.outcome,
      finished.advice,
      reference,
      nowMs,
      payment.accountId,
      payment.id,
      finished.id,
    ],
    expect: 1,
  }
}

/** The statement that notes that no clear answer came, unless somebody has learnt the outcome meanwhile. */
export function noteUnknown(attemptId: string, accountId: string): Statement {
  return {
    sql: `UPDATE payment_attempts SET outcome = 'unknown' WHERE account_id = ? AND id = ? AND status = 'processing'`,
    params: [accountId, attemptId],
  }
}
