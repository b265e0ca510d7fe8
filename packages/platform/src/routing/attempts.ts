import type { AttemptExemption, AttemptOutcomeName, Payment, PaymentAttempt } from '@tillwright/contract'
import type { AuthorisationOutcome } from '../processors/index.ts'
import type { Write } from '../request-context.ts'
import type { Statement } from '../storage/index.ts'

/** An attempt that is about to be put on record, before its processor is asked. */
export interface NewAttempt {
  attempt: PaymentAttempt
  payment: Pick<Payment, 'id' | 'accountId' | 'preview'>
  /** 1 for the payment's first. */
  ordinal: number
  cardFingerprint: string
}

/**
 * The statement that records an attempt. It is refused (duplicate) as long as another attempt of the payment is under
 * way or has taken the money: an index of the table enforces this for every writer.
 */
export function insertAttempt({ attempt, payment, ordinal, cardFingerprint }: NewAttempt, nowMs: number): Write {
  return {
    sql: `INSERT INTO payment_attempts
        (account_id, id, payment_id, processor_id, status, decision, created_at, ordinal, card_fingerprint, exemption,
          is_open)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
    params: [
      payment.accountId,
      attempt.id,
      payment.id,
      attempt.processorId,
      attempt.status,
      JSON.stringify(attempt.decision),
      nowMs,
      ordinal,
      payment.preview === null && cardFingerprint !== '' ? cardFingerprint : null, // what a preview declines counts against no card
      jsonOrNull(attempt.exemption),
    ],
  }
}

/**
 * The statement that records the outcome of an attempt. It is refused once there is one: an outcome never changes. It
 * names the payment as well, because a PostgreSQL that has planned it on an empty table may look it up by that index.
 */
export function finishAttempt(
  finished: PaymentAttempt,
  payment: Pick<Payment, 'id' | 'accountId'>,
  { reference, nowMs }: { reference: string | null; nowMs: number },
): Write {
  return {
    sql: `UPDATE payment_attempts SET status = ?, decline_code = ?, outcome = ?, advice = ?, network_transaction_id = ?, checks = ?,
        exemption = ?, fee = ?, reference = ?, is_open = ?, finished_at = ?
      WHERE account_id = ? AND payment_id = ? AND id = ? AND status = 'processing'`,
    params: [
      finished.status,
      finished.declineCode,
      finished.outcome,
      finished.advice,
      finished.networkTransactionId,
      jsonOrNull(finished.checks),
      jsonOrNull(finished.exemption),
      jsonOrNull(finished.fee),
      reference,
      Number(finished.status === 'succeeded'),
      nowMs,
      payment.accountId,
      payment.id,
      finished.id,
    ],
    expect: 1,
  }
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** The statement that notes what a processor calls an attempt whose outcome it will tell later. */
export function noteAwaited(
  { id, outcome }: PaymentAttempt,
  accountId: string,
  { reference }: { reference: string },
): Write {
  return {
    sql: `UPDATE payment_attempts SET outcome = ?, reference = ? WHERE account_id = ? AND id = ? AND status = 'processing'`,
    params: [outcome, reference, accountId, id],
    expect: 1,
  }
}

/** The statement that notes that money has come for an attempt that had ended without. */
export function notePaidLate(
  { id }: PaymentAttempt,
  { accountId, id: paymentId }: Pick<Payment, 'id' | 'accountId'>,
  reference: string,
): Write {
  return {
    sql: `UPDATE payment_attempts SET status = 'succeeded', outcome = 'succeeded', decline_code = NULL, reference = ?
      WHERE account_id = ? AND payment_id = ? AND id = ? AND status IN ('declined', 'failed')`,
    params: [reference, accountId, paymentId, id],
    expect: 1,
  }
}

/** The statement that notes the lack of a clear answer, unless the outcome has been recorded meanwhile. */
export function noteUnknown(attemptId: string, accountId: string): Statement {
  return {
    sql: `UPDATE payment_attempts SET outcome = 'unknown' WHERE account_id = ? AND id = ? AND status = 'processing'`,
    params: [accountId, attemptId],
  }
}

/** A payment that has come as far as a processor has at least one attempt. */
export function lastAttempt(payment: Payment): PaymentAttempt {
  const last = payment.attempts.at(-1)
  if (last === undefined) throw new Error(`The payment ${payment.id} has no attempt.`)
  return last
}

/** The payment with another last attempt in the place of its own. */
export function withLastAttempt(payment: Payment, last: PaymentAttempt): Payment {
  return { ...payment, attempts: [...payment.attempts.slice(0, -1), last] }
}

/** `unknown`: the processor may or may not have taken the money. Nothing else may be tried before it has been asked. */
export type AttemptOutcome = AuthorisationOutcome | { outcome: 'unknown' }

/** The attempt as it is once its processor has answered. An unknown outcome leaves it under way. */
export function withOutcome(attempt: PaymentAttempt, outcome: AttemptOutcome, nowMs: number): PaymentAttempt {
  const known = { ...attempt, outcome: outcomeName(outcome), finishedAt: new Date(nowMs).toISOString() }
  switch (outcome.outcome) {
    case 'succeeded':
    case 'authorized':
      return {
        ...known,
        status: 'succeeded',
        networkTransactionId: outcome.networkTransactionId ?? null,
        checks: outcome.checks ?? null,
        exemption: exemptionAfter(attempt, outcome.exemption ?? 'unknown'),
        fee: outcome.fee ?? null,
      }
    case 'declined':
      return {
        ...known,
        status: 'declined',
        declineCode: outcome.declineCode,
        advice: outcome.advice,
        checks: outcome.checks ?? null,
      }
    case 'threeds_required':
      return {
        ...known,
        status: 'declined',
        declineCode: 'authentication_required',
        exemption: exemptionAfter(attempt, 'refused'),
      }
    case 'refused_before_acceptance':
      return { ...known, status: 'failed' }
    case 'redirect':
    case 'pending':
    case 'unknown':
      return { ...known, finishedAt: null }
  }
}

function exemptionAfter(
  { exemption }: PaymentAttempt,
  result: NonNullable<AttemptExemption['result']>,
): AttemptExemption | null {
  return exemption && { ...exemption, result }
}

/** The name of a processor's answer in a payment's trace. */
export function outcomeName(outcome: AttemptOutcome): AttemptOutcomeName {
  switch (outcome.outcome) {
    case 'succeeded':
    case 'authorized':
    case 'redirect':
    case 'pending':
    case 'unknown':
      return outcome.outcome
    case 'threeds_required':
      return 'authentication_required'
    case 'refused_before_acceptance':
      return 'technical_failure'
    case 'declined':
      if (outcome.declineCode === 'authentication_required') return 'authentication_required'
      return outcome.kind === 'soft' ? 'soft_decline' : 'hard_decline'
  }
}

/** The processor's id of the attempt, once it has given one. */
export function referenceOf(outcome: AttemptOutcome): string | null {
  return 'reference' in outcome ? outcome.reference : null
}
