import type { Lack, LackCode, LeftOutClause, Promotion, PromotionAction, PromotionRule } from '@tillwright/contract'
import type { Candidate, Cart } from './candidates.ts'
import { doesAnything, type Effects } from './effects.ts'

/**
 * Returns why a promotion alone does not apply to an order, or `null` if it may. Exhaustion is checked last, so that it
 * is reported only to buyers who would otherwise have been eligible.
 *
 * @param nowMs Milliseconds since the Unix epoch.
 */
export function ineligibilityOf(effects: Effects, cart: Cart, nowMs: number): Clause | null {
  const { candidate } = effects
  return (
    checkTime(candidate, nowMs) ??
    checkRules(candidate.promotion, cart) ??
    checkActions(effects, cart) ??
    checkUsage(candidate)
  )
}

function checkTime({ promotion }: Candidate, nowMs: number): Clause | null {
  const { archived, enabled, startDate, endDate } = promotion
  if (archived) return { clause: 'archived', field: 'archived', lacks: [], message: 'It is archived.' }
  if (!enabled) return { clause: 'disabled', field: 'enabled', lacks: [], message: 'It is disabled.' }
  if (startDate !== null && nowMs < Date.parse(startDate)) {
    return { clause: 'not_started', field: 'startDate', lacks: [], message: `It starts at ${startDate}.` }
  }
  if (endDate !== null && nowMs >= Date.parse(endDate)) {
    return { clause: 'ended', field: 'endDate', lacks: [], message: `It ended at ${endDate}.` }
  }
  return null
}

function checkUsage({ promotion, usesLeft }: Candidate): Clause | null {
  if (usesLeft === null || usesLeft > 0) return null
  const message = `All of the ${promotion.usageLimit} orders that may use it have done so, or are being paid.`
  return { clause: 'usage_limit', field: 'usageLimit', lacks: [], message }
}

/** Why a promotion does not apply, whatever the others are: the field that did it, and what was lacking. */
interface Clause {
  clause: LeftOutClause
  /** A field of the promotion, with its index: `rules[1]`. */
  field: string
  lacks: Lack[]
  message: string
}

/** @returns What each of a promotion's actions lacks in the cart; `null` if at least one applies. */
function checkActions(effects: Effects, cart: Cart): Clause | null {
  if (doesAnything(effects)) return null
  const { actions } = effects.candidate.promotion
  const field = actions.length === 1 ? 'actions[0]' : 'actions'
  if (actions.length === 0) {
    return { clause: 'actions', field, lacks: [{ field, ...lackOf('actions') }], message: 'It has no actions.' }
  }
  const lacks = actions.map((action, index) => ({
    field: `actions[${index}]`,
    ...lackOfAction(action, effects.candidate, cart),
  }))
  return { clause: 'actions', field, lacks, message: messageOf(lacks, cart) }
}

type NamelessLack = Omit<Lack, 'field'>

function lackOf(code: LackCode, { wanted = null, found = null, currency = null }: Partial<NamelessLack> = {}) {
  return { code, wanted, found, currency }
}

function lackOfAction(action: PromotionAction, { promotion, gifts }: Candidate, cart: Cart): NamelessLack {
  switch (action.type) {
    case 'LineItemPercentageAdjustment':
      return lackOf('target_line')
    case 'LineItemAmountAdjustment':
      return amountLackingIn(action.adjustmentAmount, cart) ?? lackOf('line_with_price')
    case 'OrderPercentageAdjustment':
      return lackOf('amount_to_take_off')
    case 'OrderAmountAdjustment':
      return amountLackingIn(action.adjustmentAmount, cart) ?? lackOf('amount_to_take_off')
    case 'ShippingAdjustment':
      return amountLackingIn(action.adjustmentAmount, cart) ?? lackOf('shipping_with_price')
    case 'CreateLineItem':
      return lackOf(gifts.has(promotion.actions.indexOf(action)) ? 'gift' : 'gift_on_sale')
    case 'SubscriptionLineItemFreeTrial':
      return lackOf('recurring_line')
  }
}

function amountLackingIn(amounts: Readonly<Record<string, unknown>> | null, { currency }: Cart): NamelessLack | null {
  return amounts === null || currency in amounts ? null : lackOf('amount_in_currency', { currency })
}

/**
 * @returns What the order lacks; `null` if the rules hold: all with AND, any with OR, and no rules at all always do.
 */
function checkRules({ rules, ruleOperator }: Pick<Promotion, 'rules' | 'ruleOperator'>, cart: Cart): Clause | null {
  const lacks = rules.flatMap((rule, index) => {
    const lack = lackOfRule(rule, cart)
    return lack === null ? [] : [{ field: `rules[${index}]`, ...lack }]
  })
  const [first] = lacks
  if (first === undefined) return null
  if (ruleOperator === 'OR' && lacks.length < rules.length) return null
  const field = ruleOperator === 'AND' || rules.length === 1 ? first.field : 'rules'
  return { clause: 'rules', field, lacks, message: messageOf(lacks, cart) }
}

/** @returns The condition of a rule that the order does not meet; `null` if it does. */
function lackOfRule(rule: PromotionRule, cart: Cart): NamelessLack | null {
  switch (rule.type) {
    case 'ContainsProduct':
      return unitsLacking('named_units', rule.quantity, namedUnits(rule, cart))
    case 'OrderAmountMinimum':
      return amountLacking(rule, cart)
    case 'OrderMinQuantity':
      return unitsLacking('paid_units', rule.quantity, paidUnits(cart))
  }
}

type ContainsProduct = Extract<PromotionRule, { type: 'ContainsProduct' }>

function namedUnits({ productIds, variantIds }: ContainsProduct, { lines }: Cart): number {
  return lines
    .filter(({ productId, variantId }) => productIds.includes(productId) || variantIds.includes(variantId))
    .reduce((sum, { quantity }) => sum + quantity, 0)
}

function paidUnits({ lines }: Cart): number {
  return lines.reduce((sum, { quantity, unitAmount }) => sum + (unitAmount > 0 ? quantity : 0), 0)
}

function unitsLacking(code: LackCode, wanted: number, found: number): NamelessLack | null {
  return found >= wanted ? null : lackOf(code, { wanted, found })
}

type OrderAmountMinimum = Extract<PromotionRule, { type: 'OrderAmountMinimum' }>

function amountLacking({ amount: wanted, currency }: OrderAmountMinimum, cart: Cart): NamelessLack | null {
  if (currency !== cart.currency) return lackOf('currency', { currency })
  const found = cart.lines.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0)
  return found >= wanted ? null : lackOf('subtotal', { wanted, found, currency })
}

function messageOf(lacks: readonly Lack[], cart: Cart): string {
  return `${lacks.map((lack) => `${lack.field} ${wordsOf(lack, cart)}`).join('; ')}.`
}

function wordsOf({ code, wanted, found, currency }: Lack, cart: Cart): string {
  switch (code) {
    case 'named_units':
      return `wants ${wanted} units of the products it names, and the order has ${found}`
    case 'paid_units':
      return `wants ${wanted} units that are paid for, and the order has ${found}`
    case 'subtotal':
      return `wants a subtotal of ${wanted} minor units of ${currency}, and the order has ${found}`
    case 'currency':
      return `counts in ${currency}, and the order is in ${cart.currency}`
    case 'target_line':
      return 'finds no line of its target'
    case 'line_with_price':
      return 'finds no line of its target that costs something'
    case 'amount_to_take_off':
      return 'takes nothing off'
    case 'amount_in_currency':
      return `has no amount in ${currency}`
    case 'shipping_with_price':
      return 'finds no shipping that costs something'
    case 'gift':
      return 'gives nothing'
    case 'gift_on_sale':
      return 'gives what is not on sale by itself'
    case 'recurring_line':
      return 'finds no line of its target that recurs'
    case 'actions':
      return 'has no actions'
  }
}
