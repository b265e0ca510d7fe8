import type { SubscriptionTerms } from './subscription-record.ts'
import { firstPaidPeriod } from './period-of.ts'

/** What a period costs depends on these. */
export type PricedTerms = Pick<
  SubscriptionTerms,
  'billingTiming' | 'trialDays' | 'unitAmount' | 'quantity' | 'firstAmount'
>

/**
 * What is to be paid when a period of a subscription ends, in minor units: in advance for the next one, in arrears for
 * this one. A trial costs nothing. The first period has the discounts of the order that it was bought with.
 *
 * @param ended The number of the period that ends.
 */
export function amountDue(terms: PricedTerms, ended: number): number {
  const paid = terms.billingTiming === 'in_arrears' ? ended : ended + 1
  const first = firstPaidPeriod(terms)
  if (paid < first) return 0
  return paid === first ? terms.firstAmount : terms.unitAmount * terms.quantity
}
