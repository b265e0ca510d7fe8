import type { NewPayment, OrderLine, Price } from '@tillwright/contract'
import { ApiError, missing } from '../../ambient/api-error.ts'
import { soldName, type SoldVariant } from '../../catalog/products.ts'

type SentLine = NonNullable<NewPayment['lines']>[number]

/**
 * Which prices an order may have. A merchant's server names any, and decides how long a free trial is; a buyer's page
 * chooses among those that are offered to pages, and decides no trial.
 */
export type PricesFor = 'server' | 'page'

/** What lines are priced in, and for whom. */
interface Pricing {
  currency: string
  prices: PricesFor
}

/** What lines cost without promotions, in the currency's minor unit; the lines' amounts sum to it. */
export interface PricedLines {
  amount: number
  lines: OrderLine[]
}

/**
 * Prices an order's lines from the catalogue: the named price or the variant's default, in the order's currency.
 *
 * @throws {ApiError} `resource_missing` for an unknown variant or price, `parameter_invalid` for one that is not on
 *   sale or not offered to the page that names it, `currency_unsupported` for one without that currency, `amount_invalid` for a sum over 2^53 - 1.
 */
export function priceLines(
  sent: readonly SentLine[],
  found: ReadonlyMap<string, SoldVariant>,
  pricing: Pricing,
): PricedLines {
  const lines = sent.map((line, index) =>
    priceLine(line, found.get(line.variantId), { ...pricing, path: `lines[${index}]` }),
  )
  const amount = lines.reduce((sum, line) => sum + line.amount, 0)
  if (!Number.isSafeInteger(amount)) {
    throw new ApiError('amount_invalid', 'The order costs more than 9007199254740991 minor units; split it.', {
      param: 'lines',
    })
  }
  return { amount, lines }
}

function priceLine(
  line: SentLine,
  sold: SoldVariant | undefined,
  { currency, prices, path }: Pricing & { path: string },
): OrderLine {
  if (sold === undefined) throw missing('variant', line.variantId, `${path}.variantId`)
  const { product, variant } = sold
  if (!product.active || !variant.active) {
    throw new ApiError('parameter_invalid', `The variant '${variant.id}' is not on sale; leave it out.`, {
      param: `${path}.variantId`,
    })
  }
  const price = variant.prices.find(({ id, default: isDefault }) =>
    line.priceId === undefined ? isDefault : id === line.priceId,
  )
  if (price === undefined) throw missing('price', line.priceId ?? 'default', `${path}.priceId`)
  if (prices === 'page' && !price.offeredToPages) throw notOffered(price, path)
  const unitAmount = price.currencyOptions[currency]?.amount
  if (unitAmount === undefined) {
    const known = Object.keys(price.currencyOptions).join(', ')
    throw new ApiError(
      'currency_unsupported',
      `The price '${price.id}' has no amount in ${currency}; it has ${known}.`,
      { param: 'currency' },
    )
  }
  return {
    productId: product.id,
    variantId: variant.id,
    priceId: price.id,
    name: soldName(sold),
    quantity: line.quantity,
    unitAmount,
    discountAmount: 0,
    amount: unitAmount * line.quantity,
    deferredAmount: 0,
    recurring: recurrenceOf(prices === 'page' ? {} : line, price, path),
    promotionId: null,
  }
}

function notOffered({ id }: Price, path: string): ApiError {
  const message = `The price '${id}' is not offered to pages; leave priceId out, or create it with offeredToPages.`
  return new ApiError('parameter_invalid', message, { param: `${path}.priceId` })
}

/** How often a line is paid; `null` for what is bought once. A server's trial takes the place of the price's own. */
function recurrenceOf(line: Pick<SentLine, 'trialDays'>, price: Price, path: string): OrderLine['recurring'] {
  const trialDays = line.trialDays ?? price.trialDays
  const { recurring, interval, intervalCount, billingTiming } = price
  if (recurring && interval !== null && billingTiming !== 'usage') {
    return { interval, intervalCount, billingTiming, trialDays }
  }
  if (recurring) {
    const message = `The price '${price.id}' is charged by use, which nobody reckons here; take another price.`
    throw new ApiError('parameter_invalid', message, { param: `${path}.priceId` })
  }
  if (trialDays === 0) return null
  const message = `The price '${price.id}' does not recur, so that nothing can be tried; leave trialDays out.`
  throw new ApiError('parameter_invalid', message, { param: `${path}.trialDays` })
}
