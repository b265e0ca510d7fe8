import type { LeftOutClause, Promotion, PromotionAction, PromotionRule } from '@tillwright/contract'
import type { Candidate, Cart } from './candidates.ts'
import { doesAnything, type Effects } from './effects.ts'

/**
 * Returns why a promotion does not apply to an order by itself, or `null` if it may. Exhaustion is checked last, so
 * that it is reported only to buyers who would otherwise have been eligible.
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
  if (archived) return { clause: 'archived', field: 'archived', message: 'It is archived.' }
  if (!enabled) return { clause: 'disabled', field: 'enabled', message: 'It is disabled.' }
  if (startDate !== null && nowMs < Date.parse(startDate)) {
    return { clause: 'not_started', field: 'startDate', message: `It starts at ${startDate}.` }
  }
  if (endDate !== null && nowMs >= Date.parse(endDate)) {
    return { clause: 'ended', field: 'endDate', message: `It ended at ${endDate}.` }
  }
  return null
}

function checkUsage({ promotion, usesLeft }: Candidate): Clause | null {
  if (usesLeft === null || usesLeft > 0) return null
  const message = `All of the ${promotion.usageLimit} orders that may use it have done so, or are being paid.`
  return { clause: 'usage_limit', field: 'usageLimit', message }
}

/** Why a promotion does not apply by itself, whatever the others are: the field that did it, and what was lacking. */
interface Clause {
  clause: LeftOutClause
  /** A field of the promotion, with its index: `rules[1]`. */
  field: string
  message: string
}

/** @returns What a promotion's actions lack to act on, each of them, or `null` when one finds something. */
function checkActions(effects: Effects, cart: Cart): Clause | null {
  if (doesAnything(effects)) return null
  const { actions } = effects.candidate.promotion
  const lacks = actions.map((action, index) => `actions[${index}] ${lackOfAction(action, effects.candidate, cart)}`)
  const message = lacks.length === 0 ? 'It has no actions.' : `${lacks.join('; ')}.`
  return { clause: 'actions', field: actions.length === 1 ? 'actions[0]' : 'actions', message }
}

function lackOfAction(action: PromotionAction, { promotion, gifts }: Candidate, cart: Cart): string {
  switch (action.type) {
    case 'LineItemPercentageAdjustment':
      return 'finds no line of its target'
    case 'LineItemAmountAdjustment':
      return amountLackingIn(action.adjustmentAmount, cart) ?? 'finds no line of its target that costs something'
    case 'OrderPercentageAdjustment':
      return 'takes nothing off'
    case 'OrderAmountAdjustment':
      return amountLackingIn(action.adjustmentAmount, cart) ?? 'takes nothing off'
    case 'ShippingAdjustment':
      return amountLackingIn(action.adjustmentAmount, cart) ?? 'finds no shipping that costs something'
    case 'CreateLineItem':
      return gifts.has(promotion.actions.indexOf(action)) ? 'gives nothing' : 'gives what is not on sale by itself'
    case 'SubscriptionLineItemFreeTrial':
      return 'finds no line of its target that recurs'
  }
}

function amountLackingIn(amounts: Readonly<Record<string, unknown>> | null, { currency }: Cart): string | null {
  return amounts === null || currency in amounts ? null : `has no amount in ${currency}`
}

/** @returns What the order lacks, or `null` when the rules hold: all with AND, any with OR, and none at all always do. */
function checkRules({ rules, ruleOperator }: Pick<Promotion, 'rules' | 'ruleOperator'>, cart: Cart): Clause | null {
  const lacks = rules.flatMap((rule, index) => {
    const lack = lackOf(rule, cart)
    return lack === null ? [] : [{ index, text: `rules[${index}] ${lack}` }]
  })
  const [first] = lacks
  if (first === undefined) return null
  if (ruleOperator === 'OR' && lacks.length < rules.length) return null
  const field = ruleOperator === 'AND' || rules.length === 1 ? `rules[${first.index}]` : 'rules'
  return { clause: 'rules', field, message: `${lacks.map(({ text }) => text).join('; ')}.` }
}

/** @returns What a rule wants and the order does not have, or `null`. */
function lackOf(rule: PromotionRule, cart: Cart): string | null {
  switch (rule.type) {
    case 'ContainsProduct':
      return unitsLacking(rule.quantity, namedUnits(rule, cart), 'of the products it names')
    case 'OrderAmountMinimum':
      return amountLacking(rule, cart)
    case 'OrderMinQuantity':
      return unitsLacking(rule.quantity, paidUnits(cart), 'that are paid for')
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

function unitsLacking(wanted: number, found: number, which: string): string | null {
  return found >= wanted ? null : `wants ${wanted} units ${which}, and the order has ${found}`
}

type OrderAmountMinimum = Extract<PromotionRule, { type: 'OrderAmountMinimum' }>

function amountLacking({ amount, currency }: OrderAmountMinimum, cart: Cart): string | null {
  if (currency !== cart.currency) return `counts in ${currency}, and the order is in ${cart.currency}`
  const subtotal = cart.lines.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0)
  return subtotal >= amount
    ? null
    : `wants a subtotal of ${amount} minor units of ${currency}, and the order has ${subtotal}`
}
