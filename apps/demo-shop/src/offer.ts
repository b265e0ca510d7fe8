import type { Client } from '@tillwright/client'

/** A product as the platform answers it. */
export type Product = Awaited<ReturnType<Client['products']['get']>>

/** The public details of a product. */
export interface Offer {
  name: string
  description: string
  /** Currencies in which every variant has a price. */
  currencies: string[]
  variants: OfferedVariant[]
}

/** A variant that can be bought. `amounts` are in minor units, by currency. */
export interface OfferedVariant {
  id: string
  name: string
  default: boolean
  amounts: Record<string, number>
}

/**
 * The variants on sale at their default prices, which are the ones that the platform charges.
 *
 * @throws {Error} When nothing of the product can be bought once.
 */
export function offerOf(product: Product): Offer {
  const variants = product.variants.flatMap((variant) => {
    const price = variant.prices.find((each) => each.default && !each.recurring)
    if (!variant.active || variant.archived || price === undefined) return []
    const options = Object.entries(price.currencyOptions)
    const amounts = Object.fromEntries(options.map(([currency, { amount }]) => [currency, amount]))
    return [{ id: variant.id, name: variant.name, default: variant.default, amounts }]
  })
  const currencies = Object.keys(variants[0]?.amounts ?? {}).filter((currency) =>
    variants.every(({ amounts }) => currency in amounts),
  )
  if (currencies.length > 0) return { name: product.name, description: product.description ?? '', currencies, variants }
  throw new Error(`The product ${product.id} has no variant with a price that is paid once.`)
}
