import { expect, test } from 'vitest'
import { ruleMessage } from '../rule-messages.ts'
import { newPromotion, promotionChange } from './promotions.ts'

const bare = { storeId: 'store_1', name: 'Sale' }

const rule = (fields: object) => ({ rules: [fields] })
const action = (fields: object) => ({ actions: [fields] })
const percentage = (adjustmentPercentage: unknown) =>
  action({ type: 'OrderPercentageAdjustment', adjustmentPercentage })
const shipping = (fields: object) => action({ type: 'ShippingAdjustment', ...fields })

test.for([
  ['the smallest percentage', percentage(0.01)],
  ['two decimals', percentage(33.33)],
  ['one hundred per cent', percentage(100)],
  ['free shipping', shipping({ free: true })],
  ['a percentage off the shipping', shipping({ adjustmentPercentage: 50 })],
  ['an amount off the shipping', shipping({ adjustmentType: 'amount', adjustmentAmount: { USD: { amount: 1 } } })],
  ['a code with surrounding spaces', { code: '  SALE  ' }],
  ['a usage limit of zero', { usageLimit: 0 }],
  ['neither a code nor automatic', { code: null, automatic: false }],
] as const)('a promotion with %s is accepted', ([, change]) => {
  expect(newPromotion.safeParse({ ...bare, ...change }).error).toBeUndefined()
})

test.for([
  ['no store', { storeId: '' }, 'storeId'],
  ['no name', { name: '' }, 'name'],
  ['an empty code', { code: '   ' }, 'code'],
  ['a fractional usage limit', { usageLimit: 0.5 }, 'usageLimit'],
  ['a negative usage limit', { usageLimit: -1 }, 'usageLimit'],
  ['an invalid date', { startDate: '2030-02-30T00:00:00Z' }, 'startDate'],
  ['an end before its start', { startDate: '2030-01-02T00:00:00Z', endDate: '2030-01-01T00:00:00Z' }, 'endDate'],
  ['an unknown operator', { ruleOperator: 'XOR' }, 'ruleOperator'],
  ['an unknown rule', rule({ type: 'Weather' }), 'rules.0.type'],
  ['a rule without a type', rule({ quantity: 1 }), 'rules.0.type'],
  ['a rule without products', rule({ type: 'ContainsProduct' }), 'rules.0.productIds'],
  ['a rule of zero units', rule({ type: 'OrderMinQuantity', quantity: 0 }), 'rules.0.quantity'],
  ['a minimum without a currency', rule({ type: 'OrderAmountMinimum', amount: 1 }), 'rules.0.currency'],
  ['a minimum of half a cent', rule({ type: 'OrderAmountMinimum', amount: 0.5, currency: 'USD' }), 'rules.0.amount'],
  ['21 rules', { rules: Array(21).fill({ type: 'OrderMinQuantity', quantity: 1 }) }, 'rules'],
  ['an unknown action', action({ type: 'Applause' }), 'actions.0.type'],
  ['no percentage', percentage(undefined), 'actions.0.adjustmentPercentage'],
  ['0 %', percentage(0), 'actions.0.adjustmentPercentage'],
  ['100.01 %', percentage(100.01), 'actions.0.adjustmentPercentage'],
  ['three decimals', percentage(1.005), 'actions.0.adjustmentPercentage'],
  ['a percentage below the smallest one', percentage(1e-7), 'actions.0.adjustmentPercentage'],
  [
    'an amount instead of a percentage',
    action({ type: 'OrderPercentageAdjustment', adjustmentType: 'amount', adjustmentPercentage: 1 }),
    'actions.0.adjustmentType',
  ],
  [
    'nothing off',
    action({ type: 'OrderAmountAdjustment', adjustmentAmount: { USD: { amount: 0 } } }),
    'actions.0.adjustmentAmount.USD.amount',
  ],
  [
    'an amount in no currency',
    action({ type: 'OrderAmountAdjustment', adjustmentAmount: {} }),
    'actions.0.adjustmentAmount',
  ],
  [
    'an amount in an unknown currency',
    action({ type: 'LineItemAmountAdjustment', adjustmentAmount: { ABC: { amount: 1 } } }),
    'actions.0.adjustmentAmount.ABC',
  ],
  ['shipping without an adjustment', shipping({}), 'actions.0.adjustmentPercentage'],
  [
    'free shipping with a percentage',
    shipping({ free: true, adjustmentPercentage: 5 }),
    'actions.0.adjustmentPercentage',
  ],
  [
    'shipping with two adjustments',
    shipping({ adjustmentPercentage: 5, adjustmentAmount: { USD: { amount: 1 } } }),
    'actions.0.adjustmentAmount',
  ],
  [
    'shipping with the wrong adjustment type',
    shipping({ adjustmentType: 'amount', adjustmentPercentage: 5 }),
    'actions.0.adjustmentType',
  ],
  ['a gift of zero units', action({ type: 'CreateLineItem' }), 'actions.0.productId'],
  ['101 gifts', action({ type: 'CreateLineItem', productId: 'p', quantity: 101 }), 'actions.0.quantity'],
  ['a trial of zero days', action({ type: 'SubscriptionLineItemFreeTrial', trialDays: 0 }), 'actions.0.trialDays'],
] as const)('a promotion with %s is refused', ([, change, path]) => {
  for (const schema of [newPromotion, promotionChange]) {
    const issues = schema.safeParse({ ...bare, ...change }).error?.issues ?? []
    expect(issues.map((issue) => issue.path.join('.'))).toContain(path)
  }
})

test.for([
  [-10, ['must be more than 0']],
  [1e21, ['must be at most 100']],
  [12.345, ['must have at most two decimals']],
] as const)('a percentage of %s is told what is wrong with it, and nothing else', ([sent, messages]) => {
  const { error } = newPromotion.safeParse({ ...bare, ...percentage(sent) }, { error: ruleMessage })
  expect(error?.issues.map(({ message }) => message)).toEqual(messages)
})

test('a change has no defaults for fields it does not name', () => {
  expect(promotionChange.parse({ code: null, unknown: 1 })).toEqual({ code: null })
})

test.for(['name', 'automatic', 'enabled', 'rules', 'actions', 'ruleOperator'])('%s cannot be cleared', (field) => {
  const issues = promotionChange.safeParse({ [field]: null }).error?.issues ?? []
  expect(issues.map((issue) => issue.path.join('.'))).toEqual([field])
})
