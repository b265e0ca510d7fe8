import type { Price, SubscriptionUpdate } from '@tillwright/contract'
import { findPrice, soldName, soldPrices, type SoldPrice } from '../catalog/index.ts'
import type { RequestContext, Write } from '../request-context.ts'
import { ApiError, missing, requireUnarchived } from '../runtime/index.ts'
import { type SubscriptionRecord, underWay } from './records.ts'
import type { ItemChange, SubscribedItem } from './tables.ts'

/**
 * The changes of a subscription's item once another price or quantity was asked for: from the next period on, in place of a
 * change that has not come into force. The present price and quantity take such a change back.
 *
 * @throws {ApiError} `resource_missing`, `parameter_invalid`, `currency_unsupported` or `amount_invalid` for what it cannot go on
 *   with; `state_conflict` while it is being charged, and where no next period comes.
 */
export async function changeItem(
  record: SubscriptionRecord,
  { priceId, quantity, cancelAtPeriodEnd }: SubscriptionUpdate,
  context: RequestContext,
): Promise<readonly ItemChange[]> {
  if (priceId === undefined && quantity === undefined) return record.itemChanges
  if (record.renewalPaymentId !== null) throw underWay(record)
  if (record.cancelAtPeriodEnd && cancelAtPeriodEnd === undefined) {
    const message = `The subscription '${record.id}' ends with its period; send cancelAtPeriodEnd: false too, which takes that back.`
    throw new ApiError('state_conflict', message, { param: priceId === undefined ? 'quantity' : 'priceId' })
  }
  const inForce = record.itemChanges.filter(({ period }) => period <= record.period)
  const present = itemOf(record.terms)
  const planned = record.itemChanges.find(({ period }) => period > record.period) ?? present
  const item = await itemWith(
    { priceId: priceId ?? planned.priceId, quantity: quantity ?? planned.quantity },
    record,
    context,
  )
  const isPresent = item.priceId === present.priceId && item.quantity === present.quantity
  return isPresent ? inForce : [...inForce, { ...item, period: record.period + 1 }]
}

/** The statements that record changes of a subscription's item. Refused when it was charged or changed since it was read. */
export function writeItemChanges(
  before: SubscriptionRecord,
  itemChanges: readonly ItemChange[],
  { nowMs }: Pick<RequestContext, 'nowMs'>,
): Write[] {
  const { accountId, id, period } = before
  return [
    ...soldPrices([itemChanges.at(-1) ?? before.terms], accountId),
    {
      sql: `UPDATE subscriptions SET item_changes = ?, updated_at = ?
        WHERE account_id = ? AND id = ? AND period = ? AND item_changes = ? AND renewal_payment_id IS NULL
          AND status <> 'canceled'`,
      params: [JSON.stringify(itemChanges), nowMs, accountId, id, period, JSON.stringify(before.itemChanges)],
      expect: 1,
      onRefused: () => underWay(before),
    },
  ]
}

function itemOf({ productId, variantId, priceId, name, quantity, unitAmount }: SubscribedItem): SubscribedItem {
  return { productId, variantId, priceId, name, quantity, unitAmount }
}

/** The present price keeps the amount that was agreed to, whatever became of it in the catalogue. */
async function itemWith(
  { priceId, quantity }: Pick<SubscribedItem, 'priceId' | 'quantity'>,
  record: SubscriptionRecord,
  { services }: RequestContext,
): Promise<SubscribedItem> {
  const { accountId, terms } = record
  const { storeId } = terms
  const isPresent = priceId === terms.priceId
  const sold = isPresent ? null : await findPrice(priceId, { storeId, accountId }, services.db)
  if (!isPresent && sold === null)
    throw missing('price', priceId, { param: 'priceId', place: `of the store '${storeId}'` })
  const item = sold === null ? itemOf(terms) : soldItem(sold, record)
  if (terms.billingTiming === 'usage' && quantity !== 1) {
    const message = `The subscription '${record.id}' is billed by usage: leave quantity out, and report usage when it happens.`
    throw new ApiError('parameter_invalid', message, { param: 'quantity' })
  }
  if (Number.isSafeInteger(item.unitAmount * quantity)) return { ...item, quantity }
  const message = 'A period would cost more than 9007199254740991 minor units; send a smaller quantity.'
  throw new ApiError('amount_invalid', message, { param: 'quantity' })
}

function soldItem({ product, variant, price }: SoldPrice, { terms }: SubscriptionRecord): SubscribedItem {
  requireUnarchived('product', product, 'priceId')
  requireUnarchived('variant', variant, 'priceId')
  requireUnarchived('price', price, 'priceId')
  if (!product.active || !variant.active) {
    const message = `The variant '${variant.id}' of the price '${price.id}' is not on sale; name another price.`
    throw new ApiError('parameter_invalid', message, { param: 'priceId' })
  }
  requireSamePeriod(price, terms)
  const unitAmount = price.currencyOptions[terms.currency]?.amount
  if (unitAmount === undefined) {
    const message = `The price '${price.id}' has no amount in ${terms.currency}, in which the subscription is paid; add one, or name another price.`
    throw new ApiError('currency_unsupported', message, { param: 'priceId' })
  }
  const name = soldName({ product, variant })
  return { productId: product.id, variantId: variant.id, priceId: price.id, name, quantity: 1, unitAmount }
}

/** Periods are numbered from the beginning of the subscription, so their length stays. */
function requireSamePeriod(price: Price, terms: SubscriptionRecord['terms']): void {
  const isSame =
    price.recurring &&
    price.interval === terms.interval &&
    price.intervalCount === terms.intervalCount &&
    price.billingTiming === terms.billingTiming
  if (isSame) return
  const wanted = `every ${terms.intervalCount} ${terms.interval}, ${terms.billingTiming}`
  const message = `The price '${price.id}' is not paid as the subscription is: ${wanted}. Name one that is, or cancel the subscription and sell a new one.`
  throw new ApiError('parameter_invalid', message, { param: 'priceId' })
}
