import { expect, test } from 'vitest'
import { allRanges, brandNames, networksOf, rulesOf } from './networks.ts'

test.each([
  ['4242', ['visa']],
  ['6703', ['bancontact', 'maestro']],
  ['479658', ['bancontact', 'visa']],
  ['606005', ['bancontact']],
  ['622126', ['unionpay', 'discover']],
  ['622925', ['unionpay', 'discover']],
  ['622926', ['unionpay']],
  ['650052', ['troy', 'discover']],
  ['650031', ['elo', 'discover']],
  ['652150', ['rupay', 'discover']],
  ['401178', ['elo']], // within a range of Visa, but not a Visa card
  ['9792', ['troy']],
  ['506099', ['verve']],
  ['5018', ['maestro']],
  ['5019', []], // Dankort
  ['5020', ['maestro']],
  ['589561', ['maestro']],
  ['589562', []], // Naranja
  ['589563', ['maestro']],
  ['589570', ['maestro']],
  ['655590', ['discover']], // a BC card
  ['213100', []], // was JCB's
  ['180000', ['uatp']], // was JCB's
  ['352800', ['jcb']],
  ['', []],
  ['99', []],
])('%j belongs to %j', (digits, networks) => {
  expect(networksOf(digits)).toEqual(networks)
})

test('a caller with the ranges of Cartes Bancaires finds the second network of their cards', () => {
  const known = [{ network: 'cartes_bancaires', low: '40000025', high: '40000025' }] as const
  expect(networksOf('4000002500001001', known)).toEqual(['cartes_bancaires', 'visa'])
  expect(networksOf('4000002500001001')).toEqual(['visa'])
  const short = [{ network: 'cartes_bancaires', low: '5', high: '5' }] as const
  expect(networksOf('5555552500001001', short)).toEqual(['mastercard'])
})

test('every range runs from low to high with digits of one length, and every network has ranges unless listed here', () => {
  for (const { low, high } of allRanges()) {
    expect(low).toMatch(/^\d{1,8}$/)
    expect(high).toMatch(/^\d{1,8}$/)
    expect(high.length).toBe(low.length)
    expect(high >= low).toBe(true)
  }
  const withRanges = new Set<string>(allRanges().map(({ network }) => network))
  expect(brandNames.filter((name) => !withRanges.has(name))).toEqual(['cartes_bancaires', 'unknown'])
})

test('no rule is impossible: numbers have 12 to 19 digits, and the usual length is one of them', () => {
  for (const { network } of allRanges()) {
    const { lengths, usualLength, breaks } = rulesOf(network)
    expect(lengths.every((length) => length >= 12 && length <= 19)).toBe(true)
    if (usualLength !== null) expect(lengths).toContain(usualLength)
    expect(breaks).toEqual(breaks.toSorted((one, other) => one - other))
  }
})

test('a Visa card has 13, 16 or 19 digits', () => {
  expect(rulesOf('visa').lengths).toEqual([13, 16, 19])
})

test('UnionPay alone has cards without a check digit', () => {
  const without = allRanges().filter(({ network }) => !rulesOf(network).luhn)
  expect(new Set(without.map(({ network }) => network))).toEqual(new Set(['unionpay']))
})
