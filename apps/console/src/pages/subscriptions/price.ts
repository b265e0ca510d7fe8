import type { Contract, ResponseOf } from '@tillwright/contract'
import { locale } from '../../language/language.ts'
import { count, money } from '../../language/values.ts'
import { text } from './text.ts'

/** A subscription as the API answers it. */
export type SubscriptionDetails = ResponseOf<Contract['subscriptions']['get']>

/** Operations whose results a change of a subscription makes stale. */
export const affected = ['subscriptions.', 'payments.', 'orders.']

/** Price of a subscription as text: `$15.00 a month`. */
export function priceOf(priced: Priced): string {
  const { unitAmount, currency, quantity, interval, intervalCount, billingTiming } = priced
  const amount = billingTiming === 'usage' ? unitAmount : unitAmount * quantity
  const price = money(amount, currency)
  if (billingTiming === 'usage') return text('perUnit', { price })
  if (intervalCount === 1) return text(`per.${interval}`, { price })
  const unit = new Intl.NumberFormat(locale, { style: 'unit', unit: interval, unitDisplay: 'long' })
  return text('perSeveral', { price, period: unit.format(intervalCount) })
}

type Priced = Pick<
  SubscriptionDetails,
  'unitAmount' | 'currency' | 'quantity' | 'interval' | 'intervalCount' | 'billingTiming'
>

/** Amount of the next charge, as far as it is known: usage is counted until then. */
export function nextAmount(subscription: SubscriptionDetails): string {
  const { nextPaymentAmount, usageQuantity, currency } = subscription
  const amount = money(nextPaymentAmount ?? 0, currency)
  return usageQuantity === null ? amount : text('soFar', { amount, units: count(usageQuantity) })
}
