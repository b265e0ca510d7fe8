import type { Promotion, PromotionAction } from '@tillwright/contract'
import { findProducts, findVariants, soldName, type SoldVariant } from '../catalog/products.ts'
import type { Database } from '../storage/database.ts'
import type { Gift } from './candidate.ts'

/** Whose catalogue gifts are taken from, and the currency that they are worth something in. */
export interface GiftPlace {
  accountId: string
  storeId: string
  currency: string
}

/** What promotions give away, by promotion and by the action's index. What is not on sale by itself is absent. */
export async function findGifts(
  promotions: readonly Promotion[],
  place: GiftPlace,
  db: Database,
): Promise<Map<string, Map<number, Gift>>> {
  const actions = promotions.flatMap((promotion) => promotion.actions.filter(isGift))
  if (actions.length === 0) return new Map()
  const variantIds = actions.flatMap(({ variantId }) => variantId ?? [])
  const productIds = actions.flatMap(({ productId, variantId }) => (variantId === null ? (productId ?? []) : []))
  const [variants, products] = await Promise.all([
    findVariants(variantIds, place, db),
    findProducts(productIds, place, db),
  ])
  const soldOf = ({ productId, variantId }: GiftAction): SoldVariant | null => {
    const sold = variantId === null ? byDefault(products.get(productId ?? '')) : (variants.get(variantId) ?? null)
    return productId !== null && sold?.product.id !== productId ? null : sold
  }
  return new Map(
    promotions.map(({ id, actions: all }) => {
      const gifts = [...all.entries()].flatMap(([index, action]) => {
        const gift = isGift(action) ? toGift(soldOf(action), place.currency) : null
        return gift === null ? [] : [[index, gift] as const]
      })
      return [id, new Map(gifts)]
    }),
  )
}

type GiftAction = Extract<PromotionAction, { type: 'CreateLineItem' }>

function isGift(action: PromotionAction): action is GiftAction {
  return action.type === 'CreateLineItem'
}

function byDefault(product: SoldVariant['product'] | undefined): SoldVariant | null {
  const variant = product?.variants.find((each) => each.default)
  return product === undefined || variant === undefined ? null : { product, variant }
}

/** What recurs cannot be given once. */
function toGift(sold: SoldVariant | null, currency: string): Gift | null {
  if (sold === null || !sold.product.active || !sold.variant.active) return null
  const price = sold.variant.prices.find((each) => each.default)
  if (price === undefined || price.recurring) return null
  return {
    productId: sold.product.id,
    variantId: sold.variant.id,
    priceId: price.id,
    name: soldName(sold),
    isShippable: sold.product.isShippable,
    unitAmount: price.currencyOptions[currency]?.amount ?? 0,
  }
}
