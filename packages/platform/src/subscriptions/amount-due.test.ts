import { expect, test } from 'vitest'
import { amountDue, type PricedTerms } from './amount-due.ts'

const priced: PricedTerms = { billingTiming: 'in_advance', trialDays: 0, unitAmount: 500, quantity: 2, firstAmount: 0 }

test.for([
  ['in advance', priced, [1_000, 1_000, 1_000]],
  ['in advance after a trial with a discount', { ...priced, trialDays: 7, firstAmount: 900 }, [900, 1_000, 1_000]],
  ['in arrears', { ...priced, billingTiming: 'in_arrears', firstAmount: 900 }, [900, 1_000, 1_000]],
  [
    'in arrears after a trial',
    { ...priced, billingTiming: 'in_arrears', trialDays: 7, firstAmount: 900 },
    [0, 900, 1_000],
  ],
  ['by usage', { ...priced, billingTiming: 'usage' }, [3_500, 3_500, 3_500]],
  ['by usage after a trial', { ...priced, billingTiming: 'usage', trialDays: 7 }, [0, 3_500, 3_500]],
] as const)('at the ends of the first periods what is paid %s costs %o', ([, terms, amounts]) => {
  expect(amounts.map((_, ended) => amountDue({ terms, itemChanges: [], period: ended, usageQuantity: 7 }))).toEqual(
    amounts,
  )
})
