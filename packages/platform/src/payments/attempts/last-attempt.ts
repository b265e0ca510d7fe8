import type { Payment, PaymentAttempt } from '@tillwright/contract'

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
