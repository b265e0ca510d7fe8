import { firstPaidPeriod } from './periods.ts'
import type { SubscriptionTerms } from './tables.ts'

/** The terms that determine the price of a period. */
export type PricedTerms = Pick<
  SubscriptionTerms,
  'billingTiming' | 'trialDays' | 'unitAmount' | 'quantity' | 'firstAmount'
>

/** The period that ends, by its number, and what was used in it. */
interface EndedPeriod {
  period: number
  usageQuantity: number
}

/**
 * The amount due when a period of a subscription ends, in minor units: in advance for the next one, in arrears for this
 * one, by usage for what was used in this one. A trial costs nothing. The first period has the discounts of the order that
 * it was bought with.
 */
export function amountDue(terms: PricedTerms, { period: ended, usageQuantity }: EndedPeriod): number {
  const paid = terms.billingTiming === 'in_advance' ? ended + 1 : ended
  const first = firstPaidPeriod(terms)
  if (paid < first) return 0
  if (terms.billingTiming === 'usage') return terms.unitAmount * Math.max(usageQuantity, 0)
  return paid === first ? terms.firstAmount : terms.unitAmount * terms.quantity
}

/** Whether nothing is charged when the period ends, because the subscription ends with it and owes nothing by then. */
export function endsUnpaid({ cancelAtPeriodEnd, terms, ...ended }: Ending): boolean {
  return cancelAtPeriodEnd && (terms.billingTiming === 'in_advance' || amountDue(terms, ended) === 0)
}

/** A subscription whose period ends. */
interface Ending extends EndedPeriod {
  cancelAtPeriodEnd: boolean
  terms: PricedTerms
}
