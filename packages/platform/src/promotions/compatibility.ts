import type { Promotion } from '@tillwright/contract'

/** What a promotion acts on, a bit each: sets of them are compared thousands of times for one order. */
export const classBits = { lineItem: 1, order: 2, shipping: 4 } as const
/** Every class. */
export const ALL_CLASSES = 7

type ClassName = keyof typeof classBits

const classOfAction: Record<Promotion['actions'][number]['type'], ClassName> = {
  LineItemPercentageAdjustment: 'lineItem',
  LineItemAmountAdjustment: 'lineItem',
  CreateLineItem: 'lineItem',
  SubscriptionLineItemFreeTrial: 'lineItem',
  OrderPercentageAdjustment: 'order',
  OrderAmountAdjustment: 'order',
  ShippingAdjustment: 'shipping',
}

const flagOfClass = {
  lineItem: 'combinesWithLineItemDiscounts',
  order: 'combinesWithOrderLevelDiscounts',
  shipping: 'combinesWithShippingDiscounts',
} as const satisfies Record<ClassName, keyof Promotion>

const nameOfClass: Record<ClassName, string> = {
  lineItem: 'line item discounts',
  order: 'order discounts',
  shipping: 'shipping discounts',
}

/** The classes of a promotion's actions, as bits. */
export function classesOf({ actions }: Promotion): number {
  return actions.reduce((classes, { type }) => classes | classBits[classOfAction[type]], 0)
}

/** The classes that a promotion allows beside itself, as bits. */
export function allowedBy(promotion: Promotion): number {
  return classNames.reduce((bits, name) => (promotion[flagOfClass[name]] ? bits | classBits[name] : bits), 0)
}

const classNames = ['lineItem', 'order', 'shipping'] as const satisfies readonly ClassName[]

/** The flag of one of two promotions that keeps them apart. */
export interface Separation {
  owner: Promotion
  flag: (typeof flagOfClass)[ClassName]
  /** The class that the flag does not allow, in words. */
  refused: string
}

/**
 * What keeps two promotions apart, or `null` when they stand together: each allows every class of the other, or either
 * has `forceCombine`.
 */
export function separation(a: Promotion, b: Promotion): Separation | null {
  if (a.forceCombine || b.forceCombine) return null
  return refusal(a, b) ?? refusal(b, a)
}

function refusal(owner: Promotion, other: Promotion): Separation | null {
  const refused = classesOf(other) & ~allowedBy(owner)
  const name = classNames.find((each) => (refused & classBits[each]) !== 0)
  return name === undefined ? null : { owner, flag: flagOfClass[name], refused: nameOfClass[name] }
}
