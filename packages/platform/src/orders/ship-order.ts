import type { HookQuestion, Order, OrderLine, ShippingOption } from '@tillwright/contract'
import { fittingOptions, type PricedOption } from '../catalog/index.ts'
import { ApiError } from '../runtime/index.ts'

/** Shipping details sent by a buyer's page. The merchant decides everything else. */
export interface PageTerms {
  /** The shipping option that the buyer has chosen; `null` before. */
  chosenOptionId: string | null
  /** Destination country as ISO 3166-1 alpha-2; `null` until the buyer provides it. */
  country: string | null
  /** The option that an earlier order of the session went to the same address with, or `null`. */
  shippedWithId: string | null
  /** The address as far as the buyer has given it; `null` before. */
  destination: HookQuestion['destination']
  sessionId: string
  isPreview: boolean
}

/**
 * Shipping of a page's order: `options` fit, and `chosen` is one of them. If there are none, `problem` says why: the
 * store has none in this currency, none for the destination, or the destination is not known yet.
 */
export interface OrderShipping {
  options: readonly PricedOption[]
  chosen: PricedOption | null
  problem: 'no_option' | 'no_country' | 'country_not_served' | null
}

/** An order whose shipping is to be found. */
export interface ToShip {
  currency: string
  lines: readonly OrderLine[]
  terms: PageTerms
}

/** The shipping of an order with goods in it: what the buyer has chosen as long as it fits, else the first that does. */
export function shipOrder({ currency, lines, terms }: ToShip, options: readonly ShippingOption[]): OrderShipping {
  const { country, shippedWithId } = terms
  const fitting = fittingOptions(options, { currency, country, shippedWithId, goodsAmount: paidNow(lines) })
  const chosen = fitting.find(({ id }) => id === terms.chosenOptionId) ?? fitting[0] ?? null
  if (chosen !== null) return { options: fitting, chosen, problem: null }
  if (!options.some(({ currencyOptions }) => Object.hasOwn(currencyOptions, currency))) {
    return { options: [], chosen: null, problem: 'no_option' }
  }
  return { options: [], chosen: null, problem: country === null ? 'no_country' : 'country_not_served' }
}

/** Cost of the lines charged today, before discounts: a free trial does not count towards free shipping. */
function paidNow(lines: readonly OrderLine[]): number {
  const isPaidNow = ({ recurring }: OrderLine): boolean =>
    recurring === null || (recurring.trialDays === 0 && recurring.billingTiming === 'in_advance')
  return lines.filter(isPaidNow).reduce((sum, { amount }) => sum + amount, 0)
}

/** The error for an order that cannot be shipped. */
export function cannotShip(
  problem: NonNullable<OrderShipping['problem']>,
  { storeId, currency }: Pick<Order, 'storeId' | 'currency'>,
): ApiError {
  const fix = `the merchant sets them with POST /api/payments/v1/stores/${storeId}/shipping-options`
  const messages = {
    no_option: `The order has to be shipped, and the store has no shipping option in ${currency}; ${fix}.`,
    no_country: 'The order has to be shipped; set the country of its shipping address.',
    country_not_served: `No shipping option of the store covers the country of the address; ask the buyer for another address, or ${fix}.`,
  }
  return new ApiError('state_conflict', messages[problem])
}
