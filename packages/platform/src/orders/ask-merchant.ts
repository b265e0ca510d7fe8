import type { HookLine, OrderHook, OrderLine, TaxAnswer } from '@tillwright/contract'
import { findVariants, type PricedOption } from '../catalog/index.ts'
import { type Asking, askHook, type HookSubject, type StoreHooks } from '../hooks/index.ts'
import type { OrderShipping, PageTerms } from './ship-order.ts'
import type { OrderPrice } from './tables.ts'

/** An order about which the merchant's server is asked. */
export interface AskedOrder extends Pick<HookSubject, 'destination' | 'currency'> {
  storeId: string
  hooks: StoreHooks
  /** The session of a page, or what is renewed. */
  about: Pick<HookSubject, 'isPreview' | 'sessionId' | 'subscriptionId' | 'customerId'>
}

type Requested = Pick<AskedOrder, 'storeId' | 'currency'> & {
  page?: PageTerms | undefined
  destination?: HookSubject['destination'] | undefined
}

/** An order as its page or its merchant's server asks for it. */
export function askedOrder({ storeId, currency, page, destination }: Requested, hooks: StoreHooks): AskedOrder {
  if (page === undefined) return { storeId, currency, hooks, destination: destination ?? null, about: {} }
  const { sessionId, isPreview } = page
  return { storeId, currency, hooks, destination: page.destination, about: { sessionId, isPreview } }
}

/**
 * Adds the tax to an order's price, as the store's `tax` hook answers. It is asked if the order has a taxable line, and
 * that or the shipping costs something now: what is given away is taxed by what its delivery costs. Any other price, and
 * a store without such a hook, have no tax.
 *
 * @throws {ApiError} `tax_unanswered`.
 */
export async function withTax<Price extends OrderPrice>(
  price: Price,
  { storeId, hooks, about, ...order }: AskedOrder,
  context: Asking,
): Promise<Price> {
  if (hooks.tax === undefined) return price
  const lines = await hookLines(price.lines, storeId, context)
  const shippingAmount = price.shippingAmount - price.shippingDiscount
  if (!lines.some(({ isTaxable, amount }) => isTaxable && amount + shippingAmount > 0)) return price
  const subject = { ...order, ...about, amount: price.amount, shippingAmount, lines }
  const problemOf = (answer: TaxAnswer) => taxProblem(answer, subject)
  const asked = await askHook({ kind: 'tax', subject, problemOf }, hooks, context)
  if (asked === null) return price
  const { answer, record } = asked
  const taxAmount = answer === null || answer.included ? 0 : totalOf(answer)
  return { ...price, amount: price.amount + taxAmount, taxAmount, hooks: [...price.hooks, record] }
}

/** The fault of an answer that has the right shape: a tax on what is not taxable, or above its cost, or `null`. */
function taxProblem(answer: TaxAnswer, { lines, shippingAmount, amount }: HookSubject): string | null {
  for (const [index, { line }] of answer.taxes.entries()) {
    if (line !== null && lines[line]?.isTaxable !== true) return `taxes.${index}.line: must be a taxable line, or null`
  }
  for (const [line, taxes] of Map.groupBy(answer.taxes, (tax) => tax.line)) {
    const cost = line === null ? shippingAmount : (lines[line]?.amount ?? 0)
    const tax = totalOf({ taxes })
    if (tax > cost) return `taxes: ${line === null ? 'the shipping' : `line ${line}`} costs ${cost}, its tax is ${tax}`
  }
  return Number.isSafeInteger(amount + totalOf(answer)) ? null : 'taxes: the total is over 2^53 - 1'
}

function totalOf({ taxes }: Pick<TaxAnswer, 'taxes'>): number {
  return taxes.reduce((sum, { amount }) => sum + amount, 0)
}

/** A page's order that has to be shipped. */
export interface ToRate extends AskedOrder {
  /** Without shipping. */
  price: OrderPrice
  terms: PageTerms
}

/**
 * The shipping of a page's order at the rates that the store's `shipping_rates` hook answers; `shipping` is `null` where
 * the store's own options apply.
 *
 * @throws {ApiError} `shipping_rates_unanswered`.
 */
export async function ratedShipping(
  { storeId, hooks, about, price, terms, ...order }: ToRate,
  context: Asking,
): Promise<{ shipping: OrderShipping | null; asked: OrderHook[] }> {
  if (hooks.shipping_rates === undefined) return { shipping: null, asked: [] }
  if (terms.country === null) return { shipping: { options: [], chosen: null, problem: 'no_country' }, asked: [] }
  const lines = await hookLines(price.lines, storeId, context)
  const subject = { ...order, ...about, amount: price.amount, shippingAmount: 0, lines }
  const asked = await askHook({ kind: 'shipping_rates', subject }, hooks, context)
  if (asked === null) return { shipping: null, asked: [] }
  const rates = asked.answer?.rates ?? null
  return { shipping: rates && chosenOf(rates, terms.chosenOptionId), asked: [asked.record] }
}

/** The option that the buyer has chosen, as long as it is offered, else the first. */
function chosenOf(rates: readonly PricedOption[], chosenId: string | null): OrderShipping {
  const chosen = rates.find(({ id }) => id === chosenId) ?? rates[0] ?? null
  return { options: rates, chosen, problem: chosen === null ? 'country_not_served' : null }
}

/** An order's lines as merchants' servers are asked about them. */
export async function hookLines(
  lines: readonly OrderLine[],
  storeId: string,
  { services, caller: { accountId } }: Asking,
): Promise<HookLine[]> {
  const variantIds = [...new Set(lines.map(({ variantId }) => variantId))]
  const found = await findVariants(variantIds, { storeId, accountId }, services.db)
  return lines.map(({ productId, variantId, priceId, name, quantity, unitAmount, discountAmount, amount }) => {
    const { product, variant } = found.get(variantId) ?? {}
    const priced = { productId, variantId, priceId, name, quantity, unitAmount, discountAmount, amount }
    return {
      ...priced,
      sku: variant?.sku ?? null,
      isTaxable: product?.isTaxable === true,
      taxCategory: product?.taxCategory ?? null,
      isShippable: product?.isShippable === true,
      grams: variant?.grams ?? null,
    }
  })
}
