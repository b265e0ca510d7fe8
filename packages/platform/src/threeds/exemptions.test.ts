import { type ExemptionPolicy, type ScaExemption, scaExemption } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideExemption, type ExemptionFacts } from './exemptions.ts'

const facts: ExemptionFacts = {
  initiatedBy: 'buyer',
  amount: 20_00,
  currency: 'EUR',
  isWanted: false,
  beginsAgreement: false,
  authenticates: true,
  acquirer: { country: 'DE', fraudRatePercent: 0.05 },
  possible: null,
  lowValue: { payments: 0, amount: 0 },
  seriesAmount: null,
  isTrusted: false,
  isCommercial: false,
}
const policy = (...exemptions: ScaExemption[]): ExemptionPolicy => ({ exemptions, requestIn: 'authorization' })

const reason = (exemption: ScaExemption, change: Partial<ExemptionFacts>) =>
  decideExemption(policy(exemption), { ...facts, ...change }).considered[0]?.reason

test.for([
  [{}, 'applies'],
  [{ amount: 30_00 }, 'applies'],
  [{ amount: 30_01 }, 'amount_too_high'],
  [{ currency: 'SEK' }, 'currency_without_limit'],
  [{ lowValue: { payments: 4, amount: 40_00 } }, 'applies'],
  [{ lowValue: { payments: 5, amount: 5_00 } }, 'five_in_a_row'],
  [{ lowValue: { payments: 3, amount: 80_00 } }, 'applies'],
  [{ lowValue: { payments: 3, amount: 80_01 } }, 'sum_too_high'],
  [{ currency: 'GBP', amount: 25_00, acquirer: { country: 'GB', fraudRatePercent: null } }, 'applies'],
  [{ currency: 'GBP', amount: 25_01, acquirer: { country: 'GB', fraudRatePercent: null } }, 'amount_too_high'],
  [{ currency: 'GBP' }, 'currency_without_limit'],
] as const)('low value with %j: %s', ([change, wanted]) => {
  expect(reason('low_value', change)).toBe(wanted)
})

test.for([
  [0.01, 500_00, 'applies'],
  [0.01, 500_01, 'amount_too_high'],
  [0.011, 250_01, 'amount_too_high'],
  [0.06, 250_00, 'applies'],
  [0.13, 100_00, 'applies'],
  [0.13, 100_01, 'amount_too_high'],
  [0.131, 1_00, 'fraud_rate_too_high'],
  [null, 1_00, 'fraud_rate_unknown'],
] as const)('low risk at a fraud rate of %s %% for %i cents: %s', ([fraudRatePercent, amount, wanted]) => {
  expect(reason('low_risk', { amount, acquirer: { country: 'FR', fraudRatePercent } })).toBe(wanted)
})

test.for([
  ['recurring', {}, 'no_earlier_payment'],
  ['recurring', { seriesAmount: 20_00 }, 'applies'],
  ['recurring', { seriesAmount: 19_99 }, 'other_amount'],
  ['trusted', {}, 'not_trusted'],
  ['trusted', { isTrusted: true }, 'applies'],
  ['secure_corporate', {}, 'not_commercial'],
  ['secure_corporate', { isCommercial: true }, 'applies'],
  ['trusted', { isTrusted: true, possible: ['low_risk'] }, 'processor_cannot'],
] as const)('%s with %j: %s', ([exemption, change, wanted]) => {
  expect(reason(exemption, change)).toBe(wanted)
})

test.for([
  [{ initiatedBy: 'merchant' }, 'merchant_initiated'],
  [{ amount: 0 }, 'nothing_to_pay'],
  [{ acquirer: null }, 'acquirer_unknown'],
  [{ acquirer: { country: 'US', fraudRatePercent: 0 } }, 'acquirer_elsewhere'],
  [{ acquirer: { country: 'CH', fraudRatePercent: 0 } }, 'acquirer_elsewhere'],
  [{ isWanted: true }, 'authentication_wanted'],
  [{ beginsAgreement: true }, 'agreement_begins'],
] as const)('with %j nothing is considered: %s', ([change, scope]) => {
  const everything = { ...facts, isTrusted: true, isCommercial: true, ...change }
  expect(decideExemption(policy(...scaExemption.options), everything)).toEqual({
    scope,
    asked: null,
    requestedIn: null,
    result: null,
    considered: [],
  })
})

test('a flow that requests exemptions in the authentication requests none without one', () => {
  const inAuthentication = { ...policy('low_value'), requestIn: 'authentication' as const }
  expect(decideExemption(inAuthentication, facts)).toMatchObject({ asked: 'low_value', requestedIn: 'authentication' })
  expect(decideExemption(inAuthentication, { ...facts, authenticates: false }).scope).toBe('without_authentication')
})

test('the first that applies is asked for, in the order of the policy', () => {
  const both = { ...facts, isTrusted: true }
  expect(decideExemption(policy('low_value', 'trusted'), both).asked).toBe('low_value')
  expect(decideExemption(policy('trusted', 'low_value'), both).asked).toBe('trusted')
  expect(decideExemption(policy('secure_corporate', 'low_value'), both)).toMatchObject({
    asked: 'low_value',
    considered: [
      { exemption: 'secure_corporate', article: 17, reason: 'not_commercial' },
      { exemption: 'low_value', article: 16, reason: 'applies' },
    ],
  })
})

const someFacts: fc.Arbitrary<ExemptionFacts> = fc.record({
  initiatedBy: fc.constantFrom('buyer' as const, 'merchant' as const),
  amount: fc.integer({ min: 0, max: 600_00 }),
  currency: fc.constantFrom('EUR', 'GBP', 'SEK', 'USD'),
  isWanted: fc.boolean(),
  beginsAgreement: fc.boolean(),
  authenticates: fc.boolean(),
  acquirer: fc.option(
    fc.record({
      country: fc.constantFrom('DE', 'IS', 'GB', 'US', 'CH'),
      fraudRatePercent: fc.option(fc.double({ min: 0, max: 0.2, noNaN: true })),
    }),
  ),
  possible: fc.option(fc.subarray([...scaExemption.options])),
  lowValue: fc.record({ payments: fc.integer({ min: 0, max: 6 }), amount: fc.integer({ min: 0, max: 120_00 }) }),
  seriesAmount: fc.option(fc.integer({ min: 0, max: 600_00 })),
  isTrusted: fc.boolean(),
  isCommercial: fc.boolean(),
})
const somePolicy: fc.Arbitrary<ExemptionPolicy> = fc.record({
  exemptions: fc.shuffledSubarray([...scaExemption.options], { minLength: 1 }),
  requestIn: fc.constantFrom('authentication' as const, 'authorization' as const),
})

test('what is asked for stands in the policy, applies, and is the first that does', () => {
  fc.assert(
    fc.property(somePolicy, someFacts, (asking, given) => {
      const { asked, considered, requestedIn, scope } = decideExemption(asking, given)
      expect(considered.map(({ exemption }) => exemption)).toEqual(scope === 'in_scope' ? asking.exemptions : [])
      expect(asked).toBe(considered.find(({ reason: why }) => why === 'applies')?.exemption ?? null)
      expect(requestedIn).toBe(asked === null ? null : asking.requestIn)
    }),
  )
})

test('no exemption is requested without a buyer, for 0, or where the regulation does not apply', () => {
  fc.assert(
    fc.property(somePolicy, someFacts, (asking, given) => {
      const { asked } = decideExemption(asking, given)
      if (asked === null) return
      expect(given.initiatedBy).toBe('buyer')
      expect(given.amount).toBeGreaterThan(0)
      expect(['DE', 'IS', 'GB']).toContain(given.acquirer?.country)
      expect(given.isWanted || given.beginsAgreement).toBe(false)
      if (asked !== 'low_value') return
      expect(given.amount).toBeLessThanOrEqual(30_00)
      expect(given.lowValue.payments).toBeLessThan(5)
      expect(given.lowValue.amount + given.amount).toBeLessThanOrEqual(100_00)
    }),
  )
})

test('a smaller amount, or a lower fraud rate, never loses an exemption for low value or low risk', () => {
  const rate = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(someFacts, fc.double({ min: 0.01, max: 1, noNaN: true }), rate, (given, part, lower) => {
      for (const exemption of ['low_value', 'low_risk'] as const) {
        if (decideExemption(policy(exemption), given).asked === null) continue
        const amount = Math.max(1, Math.floor(given.amount * part))
        const acquirer = given.acquirer && {
          ...given.acquirer,
          fraudRatePercent: given.acquirer.fraudRatePercent === null ? null : given.acquirer.fraudRatePercent * lower,
        }
        expect(decideExemption(policy(exemption), { ...given, amount, acquirer }).asked).toBe(exemption)
      }
    }),
  )
})
