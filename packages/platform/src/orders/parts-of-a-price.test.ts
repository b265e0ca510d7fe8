import { contract, type HookQuestion, type Price, type PromotionAction, type Quote } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inNewStore } from '../../test/buyer-session.ts'
import { startMerchant } from '../../test/merchant-server.ts'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { sharedPlatform, type TestPlatform } from '../../test/test-platform.ts'

const platform = sharedPlatform()

interface Kind {
  amount: number
  isTaxable: boolean
  isShippable?: true
  price?: Partial<Pick<Price, 'recurring' | 'interval' | 'trialDays' | 'billingTiming'>>
}

/** What a store can sell: once and again, with a trial, in arrears, by usage, taxed or not, and for nothing. */
const kinds: readonly Kind[] = [
  { amount: 999, isTaxable: true, isShippable: true },
  { amount: 1, isTaxable: true },
  { amount: 0, isTaxable: true, isShippable: true },
  { amount: 33_333, isTaxable: false },
  { amount: 1_500, isTaxable: true, price: { recurring: true, interval: 'month' } },
  { amount: 2_500, isTaxable: true, price: { recurring: true, interval: 'month', trialDays: 7 } },
  { amount: 700, isTaxable: false, price: { recurring: true, interval: 'week', billingTiming: 'in_arrears' } },
  { amount: 13, isTaxable: true, price: { recurring: true, interval: 'day', billingTiming: 'usage' } },
]

/** What promotions do. A gift is the first thing that the store sells. */
const doings = (variantId: string): PromotionAction[][] => {
  const target = { targetProductId: null, targetVariantId: null }
  const off = (amount: number) => ({ USD: { amount }, JPY: { amount }, KWD: { amount } })
  const percentage = { adjustmentType: 'percentage' } as const
  const shipping = { type: 'ShippingAdjustment', adjustmentType: null, adjustmentAmount: null } as const
  return [
    [{ type: 'OrderPercentageAdjustment', ...percentage, adjustmentPercentage: 12.5 }],
    [{ type: 'OrderAmountAdjustment', adjustmentType: 'amount', adjustmentAmount: off(1_001) }],
    [{ type: 'LineItemPercentageAdjustment', ...percentage, adjustmentPercentage: 33.33, ...target }],
    [{ type: 'LineItemAmountAdjustment', adjustmentType: 'amount', adjustmentAmount: off(7), ...target }],
    [{ ...shipping, free: true, adjustmentPercentage: null }],
    [{ ...shipping, free: false, adjustmentPercentage: 50 }],
    [{ type: 'CreateLineItem', productId: null, variantId, quantity: 2 }],
    [{ type: 'SubscriptionLineItemFreeTrial', trialDays: 30, ...target }],
  ]
}

async function newShop(of: TestPlatform) {
  const shop = await inNewStore(of, { createDemoProducts: false })
  const { storeId } = shop.local
  const variantIds: string[] = []
  for (const [at, { amount, price, ...flags }] of kinds.entries()) {
    const currencyOptions = { USD: { amount }, JPY: { amount }, KWD: { amount } }
    const variants = [{ name: `Kind ${at}`, prices: [{ currencyOptions, ...price }] }]
    const body = { storeId, name: `Kind ${at}`, variants, ...flags }
    const { productId } = await shop.call(contract.products.create, { body })
    const { variants: made } = await shop.call(contract.products.get, { params: { productId } })
    variantIds.push(made[0]?.id ?? '')
  }
  const codes: string[] = []
  for (const [at, actions] of doings(variantIds[0] ?? '').entries()) {
    const code = newCode()
    codes.push(code)
    const combines = { combinesWithLineItemDiscounts: at % 2 === 0, combinesWithOrderLevelDiscounts: at % 3 === 0 }
    await newPromotion(shop, { code, actions, ...combines, combinesWithShippingDiscounts: at % 2 === 1 })
  }
  return { shop, storeId, variantIds, codes }
}

/** A tenth of each taxable line and of the shipping, rounded up. */
const tenth = ({ lines, shippingAmount }: HookQuestion) => ({
  json: {
    taxes: [
      ...lines.flatMap(({ isTaxable, amount }, line) =>
        isTaxable ? [{ line, name: 'Tax', amount: Math.ceil(amount / 10) }] : [],
      ),
      { line: null, name: 'Tax', amount: Math.ceil(shippingAmount / 10) },
    ],
  },
})

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)

function expectWhole({ lines, promotions, ...price }: Quote): void {
  const { amount, subtotal, discountAmount, shippingAmount, shippingDiscount, taxAmount, deferredAmount } = price
  for (const line of lines) {
    const isUsed = line.recurring?.billingTiming === 'usage'
    const whole = isUsed ? 0 : line.unitAmount * line.quantity
    expect(line.amount + line.deferredAmount + line.discountAmount).toBe(whole)
    expect(Math.min(line.amount, line.deferredAmount, line.discountAmount)).toBeGreaterThanOrEqual(0)
  }
  const shipped = shippingAmount - shippingDiscount
  expect(amount).toBe(sum(lines.map((line) => line.amount)) + shipped + taxAmount)
  expect(amount).toBe(subtotal - discountAmount - deferredAmount + shipped + taxAmount)
  expect(discountAmount).toBe(sum(lines.map((line) => line.discountAmount)))
  expect(deferredAmount).toBe(sum(lines.map((line) => line.deferredAmount)))
  expect(sum(promotions.applied.map(({ saving }) => saving))).toBe(discountAmount + shippingDiscount)
  expect(shippingDiscount).toBeLessThanOrEqual(shippingAmount)
  expect(taxAmount).toBeLessThanOrEqual(amount - taxAmount)
}

test('the parts of a price sum to what is paid, in every currency, and no code makes an order dearer', async () => {
  const { shop, storeId, variantIds, codes } = await newShop(platform())
  await startMerchant(shop, { kinds: ['tax'], storeId }, tenth)
  const order = fc.record({
    currency: fc.constantFrom('USD', 'JPY', 'KWD'),
    kinds: fc.array(fc.nat(kinds.length - 1), { minLength: 1, maxLength: 5 }),
    quantity: fc.integer({ min: 1, max: 10_000 }),
    promotionCodes: fc.subarray(codes),
    shippingAmount: fc.constantFrom(0, 1, 795, 120_000),
  })
  const property = fc.asyncProperty(order, async ({ kinds: sold, quantity, promotionCodes, ...terms }) => {
    const lines = sold.map((kind) => {
      const isUsed = kinds[kind]?.price?.billingTiming === 'usage'
      return { variantId: variantIds[kind] ?? '', quantity: isUsed ? 1 : quantity }
    })
    const quoted = (sent: string[]) =>
      shop.call(contract.orders.quote, { body: { storeId, ...terms, lines, promotionCodes: sent } })
    const [plain, promoted] = [await quoted([]), await quoted(promotionCodes)]
    expectWhole(plain)
    expectWhole(promoted)
    const all = ({ amount, deferredAmount, taxAmount }: Quote) => amount + deferredAmount - taxAmount
    expect(all(promoted)).toBeLessThanOrEqual(all(plain))
  })
  await fc.assert(property, { numRuns: 40 })
})
