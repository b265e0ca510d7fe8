import { firstPaidPeriod } from './periods.ts'
import type { ItemChange, SubscriptionTerms } from './tables.ts'

/** The terms of a period: what was bought, or what it was changed to. The discount of the first order is off what was bought. */
export function termsOf<Terms extends PricedTerms>(
  terms: Terms,
  itemChanges: readonly ItemChange[],
  number: number,
): Terms {
  const change = itemChanges.findLast(({ period }) => period <= number)
  if (change === undefined) return terms
  const { period: _, ...item } = change
  return { ...terms, ...item, firstAmount: item.unitAmount * item.quantity }
}

/** The terms that determine the price of a period. */
export type PricedTerms = Pick<
  SubscriptionTerms,
  'billingTiming' | 'trialDays' | 'unitAmount' | 'quantity' | 'firstAmount'
>

/** A subscription whose period ends, by its number, and what was used in it. */
interface EndedPeriod<Terms extends PricedTerms> {
  terms: Terms
  itemChanges: readonly ItemChange[]
  period: number
  usageQuantity: number
}

/** The terms of the period that is paid when a period ends: in advance the next one, otherwise this one. */
export function dueTerms<Terms extends PricedTerms>({ terms, itemChanges, period }: EndedPeriod<Terms>): Terms {
  return termsOf(terms, itemChanges, paidPeriod(terms, period))
}

function paidPeriod({ billingTiming }: PricedTerms, ended: number): number {
  return billingTiming === 'in_advance' ? ended + 1 : ended
}

/**
 * The amount due when a period of a subscription ends, in minor units: in advance for the next one, in arrears for this
 * one, by usage for what was used in this one. A trial costs nothing. The first period has the discounts of the order that
 * it was bought with.
 */
export function amountDue(ending: EndedPeriod<PricedTerms>): number {
  const terms = dueTerms(ending)
  const paid = paidPeriod(terms, ending.period)
  const first = firstPaidPeriod(terms)
  if (paid < first) return 0
  if (terms.billingTiming === 'usage') return terms.unitAmount * Math.max(ending.usageQuantity, 0)
  return paid === first ? terms.firstAmount : terms.unitAmount * terms.quantity
}

/** Whether nothing is charged when the period ends, because the subscription ends with it and owes nothing by then. */
export function endsUnpaid({ cancelAtPeriodEnd, ...ending }: Ending): boolean {
  return cancelAtPeriodEnd && (ending.terms.billingTiming === 'in_advance' || amountDue(ending) === 0)
}

interface Ending extends EndedPeriod<PricedTerms> {
  cancelAtPeriodEnd: boolean
}
