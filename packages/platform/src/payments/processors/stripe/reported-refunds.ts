import type { Stripe } from 'stripe'
import type { ReportedRefunds } from '../processor-driver.ts'
import { ATTEMPT } from './create-intent.ts'
import { minorAmount } from './stripe-amount.ts'
import { ask } from './stripe-errors.ts'

/** Stripe's own limit of one page; a payment has no more refunds here than that. */
const REFUNDS_MAX = 100

/** Asks Stripe for the refunds of a payment intent; `null` for one that is not ours. */
export async function askRefunds(intentId: string, client: Stripe): Promise<ReportedRefunds | null> {
  const { metadata } = await ask(client.paymentIntents.retrieve(intentId))
  const attemptId = metadata[ATTEMPT]
  if (attemptId === undefined) return null
  const { data } = await ask(client.refunds.list({ payment_intent: intentId, limit: REFUNDS_MAX }))
  const made = data.filter(({ status }) => status === 'succeeded')
  const refunds = made.map(({ id, amount, currency }) => {
    return { reference: id, amount: minorAmount(amount, currency.toUpperCase()) }
  })
  return { attemptId, refunds }
}
