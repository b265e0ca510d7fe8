import type { PromotionAction } from '@tillwright/contract'
import type { Candidate, Cart } from './candidate.ts'
import type { Clause } from './clause.ts'
import { doesAnything, type Effects } from './effects.ts'

/** @returns What a promotion's actions lack to act on, each of them, or `null` when one finds something. */
export function checkActions(effects: Effects, cart: Cart): Clause | null {
  if (doesAnything(effects)) return null
  const { actions } = effects.candidate.promotion
  const lacks = actions.map((action, index) => `actions[${index}] ${lackOf(action, effects.candidate, cart)}`)
  const message = lacks.length === 0 ? 'It has no actions.' : `${lacks.join('; ')}.`
  return { clause: 'actions', field: actions.length === 1 ? 'actions[0]' : 'actions', message }
}

function lackOf(action: PromotionAction, { promotion, gifts }: Candidate, cart: Cart): string {
  switch (action.type) {
    case 'LineItemPercentageAdjustment':
      return 'finds no line of its target'
    case 'LineItemAmountAdjustment':
      return amountLacking(action.adjustmentAmount, cart) ?? 'finds no line of its target that costs something'
    case 'OrderPercentageAdjustment':
      return 'takes nothing off'
    case 'OrderAmountAdjustment':
      return amountLacking(action.adjustmentAmount, cart) ?? 'takes nothing off'
    case 'ShippingAdjustment':
      return amountLacking(action.adjustmentAmount, cart) ?? 'finds no shipping that costs something'
    case 'CreateLineItem':
      return gifts.has(promotion.actions.indexOf(action)) ? 'gives nothing' : 'gives what is not on sale by itself'
    case 'SubscriptionLineItemFreeTrial':
      return 'finds no line of its target that recurs'
  }
}

function amountLacking(amounts: Readonly<Record<string, unknown>> | null, { currency }: Cart): string | null {
  return amounts === null || currency in amounts ? null : `has no amount in ${currency}`
}
