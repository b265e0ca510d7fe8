import { currencyExponent, type NewProductInput } from '@tillwright/contract'

/**
 * What a new store can begin with: two products that show variants, and a recurring price.
 *
 * @param currency The store's base currency.
 */
export function demoProducts(storeId: string, currency: string): NewProductInput[] {
  const major = 10 ** (currencyExponent(currency) ?? 2)
  const price = (units: number) => ({ currencyOptions: { [currency]: { amount: units * major } } })
  return [
    {
      storeId,
      name: 'Canvas tote',
      description: 'A sturdy bag of undyed organic canvas, made to be filled.',
      isShippable: true,
      isTaxable: true,
      variants: [
        { name: 'Natural', grams: 320, default: true, prices: [price(24)] },
        { name: 'Night blue', grams: 320, prices: [price(26)] },
        { name: 'Large, natural', grams: 450, prices: [price(34)] },
      ],
    },
    {
      storeId,
      name: 'Coffee club',
      description: 'A fresh bag of beans on the first of each month.',
      isShippable: true,
      variants: [{ name: 'Monthly', prices: [{ ...price(15), recurring: true, interval: 'month' }] }],
    },
  ]
}
