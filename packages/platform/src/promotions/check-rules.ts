import type { Promotion, PromotionRule } from '@tillwright/contract'
import type { Cart } from './candidate.ts'
import type { Clause } from './clause.ts'

/** @returns What the order lacks, or `null` when the rules hold: all with AND, any with OR, and none at all always do. */
export function checkRules(
  { rules, ruleOperator }: Pick<Promotion, 'rules' | 'ruleOperator'>,
  cart: Cart,
): Clause | null {
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
