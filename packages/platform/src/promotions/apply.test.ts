import type { Promotion, PromotionAction, PromotionRule } from '@tillwright/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  amountOffOrder,
  candidate,
  cart,
  cartLine,
  freeDays,
  giveOne,
  offLines,
  offOrder,
  offShipping,
  offUnits,
} from '../../test/promotions/promotion.ts'
import { applyPromotions } from './apply.ts'
import { separation } from './best-set.ts'
import type { Candidate, Cart, CartLine } from './candidates.ts'
import { type Benefit, benefitOf, compareBenefits, type Effects, effectsOf, nothing, sumImpacts } from './effects.ts'
import { ineligibilityOf } from './ineligibility.ts'

const NOW = Date.UTC(2030, 5, 1)

const gift = {
  productId: 'p9',
  variantId: 'gift',
  priceId: 'price_9',
  name: 'Pen',
  isShippable: false,
  unitAmount: 300,
}
const gives = { gifts: new Map([[0, gift]]) }

const apply = (order: Cart, ...candidates: Candidate[]) => applyPromotions(order, candidates, NOW)
const one = (actions: PromotionAction[], order: Cart = cart()) => apply(order, candidate('a', { actions }))

describe('what a promotion takes off', () => {
  test('a percentage of a line is rounded half up to a minor unit', () => {
    expect(one([offLines(12.5)], cart({ lines: [cartLine({ unitAmount: 1_004 })] })).discountAmount).toBe(126)
    expect(one([offLines(12.5)], cart({ lines: [cartLine({ unitAmount: 1_003 })] })).discountAmount).toBe(125)
  })

  test('an amount is taken off each unit, and never more than the unit costs', () => {
    const lines = [cartLine({ quantity: 3 }), cartLine({ unitAmount: 200, quantity: 2 })]
    expect(one([offUnits(500)], cart({ lines })).lines.map(({ amount }) => amount)).toEqual([1_500, 0])
  })

  test('a target names the lines that are meant', () => {
    const lines = [cartLine(), cartLine({ variantId: 'v2' }), cartLine({ productId: 'p2', variantId: 'v3' })]
    const at = (target: object) => one([{ ...offLines(10), ...target }], cart({ lines }))
    expect(at({ targetProductId: 'p1' }).lines.map(({ discountAmount }) => discountAmount)).toEqual([100, 100, 0])
    expect(at({ targetVariantId: 'v2' }).lines.map(({ discountAmount }) => discountAmount)).toEqual([0, 100, 0])
    expect(at({ targetProductId: 'p2', targetVariantId: 'v2' }).leftOut[0]?.clause).toBe('actions')
  })

  test('the order’s discount is reckoned from what the line items have left', () => {
    expect(one([offLines(50), offOrder(10)])).toMatchObject({ discountAmount: 550, amount: 450 })
  })

  test('percentages on one thing are added, and each is of the same price', () => {
    const all = { forceCombine: true }
    const order = apply(
      cart(),
      candidate('a', { ...all, actions: [offOrder(10)] }),
      candidate('b', { ...all, actions: [offOrder(20)] }),
    )
    expect(order).toMatchObject({ amount: 700, applied: [{ saving: 100 }, { saving: 200 }] })
  })

  test('an order’s discount is spread over the lines by largest remainder', () => {
    const lines = [1, 1, 1].map((_, index) => cartLine({ variantId: `v${index}`, unitAmount: 100 }))
    const order = one([amountOffOrder(100)], cart({ lines }))
    expect(order.lines.map(({ discountAmount }) => discountAmount)).toEqual([34, 33, 33])
  })

  test('which line gets the odd unit depends on what the lines are, not on their order', () => {
    const lines = ['c', 'a', 'b'].map((variantId) => cartLine({ variantId, unitAmount: 100 }))
    const shares = (sent: CartLine[]) =>
      one([amountOffOrder(100)], cart({ lines: sent })).lines.map(({ discountAmount }) => discountAmount)
    expect(shares(lines)).toEqual([33, 34, 33])
    expect(shares(lines.toReversed())).toEqual([33, 34, 33])
    expect(shares(lines.toSorted((a, b) => (a.variantId < b.variantId ? -1 : 1)))).toEqual([34, 33, 33])
  })

  test('shipping can be free, or less', () => {
    expect(one([offShipping()], cart({ shippingAmount: 499 }))).toMatchObject({ shippingDiscount: 499, amount: 1_000 })
    expect(one([offShipping(50)], cart({ shippingAmount: 499 }))).toMatchObject({
      shippingDiscount: 250,
      amount: 1_249,
    })
  })

  test('nothing goes below zero', () => {
    expect(one([amountOffOrder(5_000)])).toMatchObject({
      amount: 0,
      discountAmount: 1_000,
      applied: [{ saving: 1_000 }],
    })
  })

  test('a gift is a line of its own and changes no price', () => {
    const order = apply(cart(), candidate('a', { actions: [giveOne()] }, gives))
    expect(order).toMatchObject({
      amount: 1_000,
      gifts: [{ promotionId: 'a', gift, quantity: 1 }],
      applied: [{ saving: 0 }],
    })
  })

  test('of two trials the longer counts, and no amount changes', () => {
    const order = one([freeDays(7), freeDays(14)], cart({ lines: [cartLine({ recurring: true }), cartLine()] }))
    expect(order.lines.map(({ trialDays }) => trialDays)).toEqual([14, 0])
    expect(order.amount).toBe(2_000)
  })

  test('the greatest amounts are exact', () => {
    const most = Number.MAX_SAFE_INTEGER
    const order = one([offLines(33.33)], cart({ lines: [cartLine({ unitAmount: most })] }))
    expect(BigInt(order.discountAmount)).toBe((BigInt(most) * 3_333n + 5_000n) / 10_000n)
    expect(order.amount + order.discountAmount).toBe(most)
  })
})

describe('when a promotion applies', () => {
  const rule = (rules: PromotionRule[], change: Partial<Promotion> = {}, order = cart()) =>
    apply(order, candidate('a', { rules, actions: [offOrder(10)], ...change }))

  const contains = (change: { productIds?: string[]; variantIds?: string[]; quantity?: number }): PromotionRule => ({
    type: 'ContainsProduct',
    productIds: [],
    variantIds: [],
    quantity: 1,
    ...change,
  })
  const minimum = (amount: number, currency = 'USD'): PromotionRule => ({
    type: 'OrderAmountMinimum',
    amount,
    currency,
  })
  const units = (quantity: number): PromotionRule => ({ type: 'OrderMinQuantity', quantity })

  test.for<[string, PromotionRule[], Cart]>([
    ['a product that is there', [contains({ productIds: ['p1'] })], cart()],
    ['a variant that is there', [contains({ variantIds: ['v0', 'v1'] })], cart()],
    [
      'units that several lines have together',
      [contains({ productIds: ['p1'], variantIds: ['v9'], quantity: 3 })],
      cart({ lines: [cartLine({ quantity: 2 }), cartLine({ productId: 'p2', variantId: 'v9' })] }),
    ],
    ['exactly the minimum', [minimum(1_000)], cart()],
    ['a number of units', [units(2)], cart({ lines: [cartLine(), cartLine()] })],
    ['any of several rules', [units(9), minimum(1)], cart()],
    ['no rules', [], cart()],
  ])('%s fulfils its rules', ([, rules, order]) => {
    expect(rule(rules, {}, order).applied).toHaveLength(1)
  })

  test.for<[string, PromotionRule[], Cart, string, string]>([
    ['a product that is not there', [contains({ productIds: ['p2'] })], cart(), 'rules[0]', 'the order has 0'],
    ['too few units', [contains({ productIds: ['p1'], quantity: 2 })], cart(), 'rules[0]', 'wants 2 units'],
    ['less than the minimum', [minimum(1_001)], cart(), 'rules[0]', 'subtotal of 1001'],
    ['another currency', [minimum(1, 'EUR')], cart(), 'rules[0]', 'counts in EUR'],
    [
      'units that cost nothing',
      [units(2)],
      cart({ lines: [cartLine(), cartLine({ unitAmount: 0, quantity: 5 })] }),
      'rules[0]',
      'the order has 1',
    ],
    ['none of several rules', [units(9), minimum(5_000)], cart(), 'rules', 'rules[1] wants'],
  ])('%s does not, and the answer says what was lacking', ([, rules, order, field, lack]) => {
    const { applied, leftOut, amount } = rule(rules, {}, order)
    expect(applied).toEqual([])
    expect(amount).toBe(order.lines.reduce((sum, line) => sum + line.unitAmount * line.quantity, 0))
    expect(leftOut).toEqual([expect.objectContaining({ promotionId: 'a', clause: 'rules', field, fieldOf: 'a' })])
    expect(leftOut[0]?.message).toContain(lack)
  })

  test('with AND every rule must hold, and the one that does not is named', () => {
    const { leftOut } = rule([minimum(1), units(2)], { ruleOperator: 'AND' })
    expect(leftOut).toEqual([expect.objectContaining({ clause: 'rules', field: 'rules[1]' })])
    expect(rule([minimum(1), units(1)], { ruleOperator: 'AND' }).applied).toHaveLength(1)
  })

  test('the minimum is of the subtotal before discounts and without shipping', () => {
    const order = apply(
      cart({ shippingAmount: 900 }),
      candidate('a', { forceCombine: true, actions: [offLines(50)] }),
      candidate('b', { rules: [minimum(1_000)], actions: [offOrder(10)] }),
      candidate('c', { rules: [minimum(1_001)], actions: [offOrder(20)] }),
    )
    expect(order.applied.map(({ promotionId }) => promotionId)).toEqual(['a', 'b'])
  })

  test.for<[string, Partial<Promotion>, string, string]>([
    ['disabled', { enabled: false }, 'disabled', 'enabled'],
    ['early', { startDate: '2030-06-01T00:00:00.001Z' }, 'not_started', 'startDate'],
    ['over', { endDate: '2030-06-01T00:00:00.000Z' }, 'ended', 'endDate'],
  ])('one that is %s does not apply', ([, change, clause, field]) => {
    expect(rule([], change).leftOut).toEqual([expect.objectContaining({ clause, field })])
  })

  test('it applies from its first millisecond to its last', () => {
    const window = { startDate: '2030-06-01T00:00:00.000Z', endDate: '2030-06-01T00:00:00.001Z' }
    expect(rule([], window).applied).toHaveLength(1)
  })

  test('one that is used up does not apply', () => {
    const order = apply(cart(), candidate('a', { usageLimit: 3, actions: [offOrder(10)] }, { usesLeft: 0 }))
    expect(order.leftOut).toEqual([expect.objectContaining({ clause: 'usage_limit', field: 'usageLimit' })])
  })

  test.for<[string, PromotionAction[], string]>([
    ['no actions', [], 'no actions'],
    ['an amount in another currency', [offUnits(5, 'EUR')], 'no amount in USD'],
    ['shipping that is free already', [offShipping()], 'no shipping'],
    ['a gift that is not on sale', [giveOne()], 'not on sale'],
    ['a trial of what does not recur', [freeDays(7)], 'recurs'],
  ])('one with %s finds nothing to act on', ([, actions, lack]) => {
    const { leftOut } = one(actions)
    expect(leftOut).toEqual([expect.objectContaining({ clause: 'actions' })])
    expect(leftOut[0]?.message).toContain(lack)
  })
})

describe('which promotions stand together', () => {
  const beside = { combinesWithOrderLevelDiscounts: true, combinesWithLineItemDiscounts: true }

  test('two that say nothing do not, and the greater saving has it', () => {
    const order = apply(
      cart(),
      candidate('a', { actions: [offOrder(10)] }),
      candidate('b', { actions: [offLines(20)] }),
    )
    expect(order.applied.map(({ promotionId }) => promotionId)).toEqual(['b'])
    expect(order.leftOut).toEqual([
      expect.objectContaining({
        promotionId: 'a',
        clause: 'combination',
        field: 'combinesWithLineItemDiscounts',
        fieldOf: 'a',
        withPromotionId: 'b',
      }),
    ])
  })

  test('both must allow the other, and the flag that refuses is named with its owner', () => {
    const order = apply(
      cart(),
      candidate('a', { ...beside, actions: [offOrder(10)] }),
      candidate('b', { actions: [offLines(20)] }),
    )
    expect(order.leftOut).toEqual([
      expect.objectContaining({
        promotionId: 'a',
        field: 'combinesWithOrderLevelDiscounts',
        fieldOf: 'b',
        withPromotionId: 'b',
      }),
    ])
    const both = apply(
      cart(),
      candidate('a', { ...beside, actions: [offOrder(10)] }),
      candidate('b', { ...beside, actions: [offLines(20)] }),
    )
    expect(both).toMatchObject({ amount: 720, leftOut: [] })
  })

  test('one with forceCombine stands together with any', () => {
    const order = apply(
      cart(),
      candidate('a', { forceCombine: true, actions: [offOrder(10)] }),
      candidate('b', { actions: [offLines(20)] }),
      candidate('c', { actions: [offLines(30)] }),
    )
    expect(order.applied.map(({ promotionId }) => promotionId)).toEqual(['a', 'c'])
  })

  test('of many the greatest saving has it, wherever it stands', () => {
    const percentages = [10, 20, 15, 40, 5, 30]
    const order = apply(
      cart(),
      ...percentages.map((off, index) => candidate(`p${index}`, { actions: [offLines(off)] })),
    )
    expect(order.applied).toEqual([expect.objectContaining({ promotionId: 'p3', saving: 400 })])
    expect(order.leftOut).toHaveLength(5)
  })

  test('several small ones can save more than a great one', () => {
    const order = apply(
      cart(),
      candidate('great', { actions: [offOrder(25)] }),
      candidate('a', { ...beside, actions: [offLines(15)] }),
      candidate('b', { ...beside, actions: [offLines(15)] }),
    )
    expect(order.applied.map(({ promotionId }) => promotionId)).toEqual(['a', 'b'])
  })

  test('of equal savings the code has it, then the older, then the lower id', () => {
    const actions = [offOrder(10)]
    const older = { actions, createdAt: '2029-01-01T00:00:00.000Z' }
    const first = (...all: Candidate[]) => apply(cart(), ...all).applied.map(({ promotionId }) => promotionId)
    expect(first(candidate('a', older), candidate('z', { actions }, { byCode: true }))).toEqual(['z'])
    expect(first(candidate('a', { actions }), candidate('z', older))).toEqual(['z'])
    expect(first(candidate('b', { actions }), candidate('a', { actions }))).toEqual(['a'])
  })

  test('a price that is lower comes before any gift, and a gift before none', () => {
    const order = (actions: PromotionAction[]) =>
      apply(cart(), candidate('a', { actions: [giveOne()] }, gives), candidate('b', { actions }))
    expect(order([offOrder(0.1)]).applied.map(({ promotionId }) => promotionId)).toEqual(['b'])
    expect(order([offOrder(0.01)]).applied.map(({ promotionId }) => promotionId)).toEqual(['a'])
  })

  test('one that has nothing left to take off is left out, so that no use of it is spent', () => {
    const order = apply(
      cart(),
      candidate('a', { forceCombine: true, actions: [offLines(100)] }),
      candidate('b', { forceCombine: true, actions: [offOrder(10)] }),
    )
    expect(order.applied.map(({ promotionId }) => promotionId)).toEqual(['a'])
    expect(order.leftOut).toEqual([expect.objectContaining({ promotionId: 'b', clause: 'saves_nothing' })])
  })
})

const percentage = fc.oneof(
  fc.constantFrom(0.01, 0.5, 10, 33.33, 50, 100),
  fc.integer({ min: 1, max: 10_000 }).map((points) => points / 100),
)
const minor = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 0, max: 5_000 }),
  fc.integer({ min: 0, max: 2 ** 48 }),
)
const productId = fc.constantFrom('p1', 'p2', 'p3')
const target = fc.record({
  targetProductId: fc.option(productId, { freq: 2 }),
  targetVariantId: fc.constantFrom(null, null, 'v1', 'v2'),
})
const amounts = fc
  .integer({ min: 1, max: 3_000 })
  .chain((amount) => fc.constantFrom({ USD: { amount } }, { EUR: { amount } }))

const action: fc.Arbitrary<PromotionAction> = fc.oneof(
  fc.tuple(percentage, target).map(([value, at]) => ({ ...offLines(value), ...at })),
  fc
    .tuple(amounts, target)
    .map(([value, at]) => ({ ...offUnits(1), ...at, adjustmentAmount: value }) as PromotionAction),
  percentage.map(offOrder),
  fc.integer({ min: 1, max: 3_000 }).map((value) => amountOffOrder(value)),
  fc.option(percentage).map(offShipping),
  fc.constant(giveOne()),
  fc.integer({ min: 1, max: 30 }).map(freeDays),
)

const anyRule: fc.Arbitrary<PromotionRule> = fc.oneof(
  fc.record({
    type: fc.constant('ContainsProduct' as const),
    productIds: fc.array(productId, { minLength: 1, maxLength: 2 }),
    variantIds: fc.constant<string[]>([]),
    quantity: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    type: fc.constant('OrderAmountMinimum' as const),
    amount: fc.integer({ min: 0, max: 6_000 }),
    currency: fc.constantFrom('USD', 'EUR'),
  }),
  fc.record({ type: fc.constant('OrderMinQuantity' as const), quantity: fc.integer({ min: 1, max: 6 }) }),
)

const line: fc.Arbitrary<CartLine> = fc.record({
  productId,
  variantId: fc.constantFrom('v1', 'v2'),
  quantity: fc.integer({ min: 1, max: 4 }),
  unitAmount: minor,
  recurring: fc.boolean(),
})

const anyCart: fc.Arbitrary<Cart> = fc.record({
  currency: fc.constant('USD'),
  lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  shippingAmount: minor,
})

const often = fc.constantFrom(true, true, false)
const definition = fc.record({
  byCode: fc.boolean(),
  usesLeft: fc.constantFrom(null, null, 1, 0),
  day: fc.integer({ min: 10, max: 12 }),
  change: fc.record({
    enabled: fc.constantFrom(true, true, true, false),
    ruleOperator: fc.constantFrom('AND' as const, 'OR' as const),
    combinesWithOrderLevelDiscounts: often,
    combinesWithLineItemDiscounts: often,
    combinesWithShippingDiscounts: often,
    forceCombine: fc.constantFrom(false, false, false, true),
    rules: fc.array(anyRule, { maxLength: 2 }),
    actions: fc.array(action, { maxLength: 3 }),
  }),
})

const toCandidates = (definitions: readonly (typeof definition extends fc.Arbitrary<infer Value> ? Value : never)[]) =>
  definitions.map(({ change, byCode, usesLeft, day }, index) => {
    const gifts = new Map(
      change.actions.flatMap(({ type }, at) => (type === 'CreateLineItem' ? [[at, gift] as const] : [])),
    )
    return candidate(
      `promo_${index}`,
      { ...change, createdAt: `2029-01-${day}T00:00:00.000Z` },
      { byCode, usesLeft, gifts },
    )
  })

const anyCandidates = (maxLength: number) => fc.array(definition, { maxLength }).map(toCandidates)
const shuffled = <Item>(items: readonly Item[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length })

const worthOf = (set: readonly Effects[], order: Cart) =>
  benefitOf(
    sumImpacts(
      set.map(({ impact }) => impact),
      order.lines.length,
    ),
    order,
  )

describe('whatever the promotions and the order are', () => {
  test('one more promotion never raises the price', () => {
    fc.assert(
      fc.property(anyCart, anyCandidates(8), (order, candidates) => {
        let before = apply(order).amount
        for (let count = 1; count <= candidates.length; count++) {
          const { amount } = apply(order, ...candidates.slice(0, count))
          expect(amount).toBeLessThanOrEqual(before)
          before = amount
        }
      }),
      { numRuns: 300 },
    )
  })

  test('neither the order of the promotions nor that of the lines matters', () => {
    const cases = fc
      .tuple(anyCart, anyCandidates(6))
      .chain(([order, candidates]) =>
        fc.tuple(fc.constant({ order, candidates }), shuffled(order.lines), shuffled(candidates)),
      )
    fc.assert(
      fc.property(cases, ([{ order, candidates }, lines, promotions]) => {
        const first = apply(order, ...candidates)
        const other = apply({ ...order, lines }, ...promotions)
        expect({ ...other, lines: [] }).toEqual({ ...first, lines: [] })
        const priced = (sent: readonly CartLine[], result: typeof first) =>
          sent.map((each, index) => JSON.stringify([each, result.lines[index]])).toSorted()
        expect(priced(lines, other)).toEqual(priced(order.lines, first))
      }),
    )
  })

  test('the parts sum to the total, and nothing is below zero', () => {
    fc.assert(
      fc.property(anyCart, anyCandidates(8), (order, candidates) => {
        const { subtotal, discountAmount, shippingAmount, shippingDiscount, amount, lines, applied } = apply(
          order,
          ...candidates,
        )
        const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0)
        expect(amount).toBe(subtotal - discountAmount + shippingAmount - shippingDiscount)
        expect(sum(lines.map((each) => each.amount)) + shippingAmount - shippingDiscount).toBe(amount)
        expect(sum(lines.map((each) => each.discountAmount))).toBe(discountAmount)
        expect(sum(applied.map(({ saving }) => saving))).toBe(discountAmount + shippingDiscount)
        for (const [index, priced] of lines.entries()) {
          const { unitAmount = 0, quantity = 0 } = order.lines[index] ?? {}
          expect(priced.amount + priced.discountAmount).toBe(unitAmount * quantity)
        }
        const all = [
          amount,
          discountAmount,
          shippingDiscount,
          ...lines.flatMap((each) => [each.amount, each.discountAmount]),
        ]
        for (const part of [...all, ...applied.map(({ saving }) => saving)]) {
          expect(part).toBeGreaterThanOrEqual(0)
          expect(Number.isSafeInteger(part)).toBe(true)
        }
      }),
    )
  })

  test('every promotion is either applied or left out with a clause, and those applied stand together', () => {
    fc.assert(
      fc.property(anyCart, anyCandidates(8), (order, candidates) => {
        const { applied, leftOut } = apply(order, ...candidates)
        const named = [...applied, ...leftOut].map(({ promotionId }) => promotionId)
        expect(named.toSorted()).toEqual(candidates.map(({ promotion }) => promotion.id).toSorted())
        for (const left of leftOut) {
          expect(left.message).not.toBe('')
          if (left.clause !== 'combination') continue
          expect(applied.map(({ promotionId }) => promotionId)).toContain(left.withPromotionId)
        }
        const promotions = candidates
          .map(({ promotion }) => promotion)
          .filter(({ id }) => applied.some((each) => each.promotionId === id))
        for (const a of promotions) for (const b of promotions) if (a !== b) expect(separation(a, b)).toBeNull()
      }),
    )
  })

  test('no set of promotions that stand together is worth more: every one is tried', () => {
    fc.assert(
      fc.property(anyCart, anyCandidates(7), (order, candidates) => {
        const all = candidates
          .map((each) => effectsOf(each, order))
          .filter((effects) => ineligibilityOf(effects, order, NOW) === null)
        let best: Benefit = nothing
        for (let bits = 0; bits < 2 ** all.length; bits++) {
          const set = all.filter((_, index) => (bits & (1 << index)) !== 0)
          const promotions = set.map((effects) => effects.candidate.promotion)
          const together = promotions.every((a, i) => promotions.every((b, j) => i >= j || separation(a, b) === null))
          const benefit = worthOf(set, order)
          if (together && compareBenefits(benefit, best) > 0) best = benefit
        }
        const { applied } = apply(order, ...candidates)
        const picked = all.filter(({ candidate: { promotion } }) =>
          applied.some(({ promotionId }) => promotionId === promotion.id),
        )
        expect(worthOf(picked, order)).toEqual(best)
      }),
      { numRuns: 500 },
    )
  })
})
