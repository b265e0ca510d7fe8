import { checkMessage, type EmvMessage } from '@tillwright/emv-3ds'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noRanges, rangeOf, rangesAfter } from './ranges.ts'

function range(startRange: string, endRange: string, more: object = {}) {
  return { startRange, endRange, acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.2.0', ...more }
}

function pres(cardRangeData: object[] | undefined, serialNumber: string | null = '1'): EmvMessage {
  const ranges = cardRangeData === undefined ? {} : { cardRangeData: JSON.parse(JSON.stringify(cardRangeData)) }
  const number = serialNumber === null ? {} : { serialNumber }
  return { messageType: 'PRes', messageVersion: '2.2.0', ...number, ...ranges }
}

const visa = range('4000000000000000', '4999999999999999', { threeDSMethodURL: 'https://acs.example/visa' })
const amex = range('340000000000000', '349999999999999', { acsEndProtocolVersion: '2.1.0' })

test('a card is found in its range, with the issuer’s method page and newest version', () => {
  const known = rangesAfter(noRanges, pres([visa, amex]))
  expect(rangeOf('4242424242424242', known)).toMatchObject({
    methodUrl: 'https://acs.example/visa',
    versions: ['2.1.0', '2.2.0'],
  })
  expect(rangeOf('340000000000009', known)).toMatchObject({ methodUrl: null, versions: ['2.1.0'] })
  expect(rangeOf('5555555555554444', known)).toBeNull()
  expect(rangeOf('4242424242424242', noRanges)).toBeNull()
})

test('an issuer that speaks nothing that is spoken here has no version', () => {
  const newer = range('51', '52', { acsStartProtocolVersion: '2.3.1', acsEndProtocolVersion: '2.3.1' })
  const known = rangesAfter(noRanges, pres([{ ...newer, startRange: '5100000000000', endRange: '5299999999999' }]))
  expect(rangeOf('5200000000000007', known)).toMatchObject({ versions: [] })
})

test('later answers change what was known: ranges come, go and change, and no ranges are no change', () => {
  const known = rangesAfter(noRanges, pres([visa, amex]))
  const changed = { ...visa, actionInd: 'M', threeDSMethodURL: 'https://acs.example/new' }
  const next = rangesAfter(known, pres([changed, { ...amex, actionInd: 'D' }], '2'))
  expect(next.serialNumber).toBe('2')
  expect(rangeOf('4242424242424242', next)).toMatchObject({ methodUrl: 'https://acs.example/new' })
  expect(rangeOf('340000000000009', next)).toBeNull()
  expect(rangesAfter(next, pres(undefined, '3'))).toEqual({ ...next, serialNumber: '3' })
})

test('of a directory that counts nothing each answer is the whole of it', () => {
  const known = rangesAfter(noRanges, pres([visa, amex], null))
  expect(rangesAfter(known, pres([amex], null)).ranges).toHaveLength(1)
})

test('however many ranges there are, a card is found exactly where it lies between two ends', () => {
  const bounds = fc.uniqueArray(fc.integer({ min: 0, max: 9_999 }), { minLength: 2, maxLength: 40 })
  fc.assert(
    fc.property(bounds, fc.integer({ min: 0, max: 9_999 }), (numbers, prefix) => {
      const sorted = numbers.toSorted((a, b) => a - b)
      const pairs = sorted.flatMap((from, index) => {
        const to = sorted[index + 1]
        return index % 2 === 0 && to !== undefined ? [[from, to] as const] : []
      })
      const text = (number: number) => String(number).padStart(4, '0')
      const told = pairs.map(([from, to]) => range(text(from).padEnd(16, '0'), text(to).padEnd(16, '9')))
      const found = rangeOf(text(prefix).padEnd(16, '5'), rangesAfter(noRanges, pres(told.toReversed())))
      expect(found !== null).toBe(pairs.some(([from, to]) => from <= prefix && prefix <= to))
    }),
    { numRuns: 100 },
  )
})

test('an answer with 20,000 ranges is read whole', () => {
  const ids = {
    threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
    dsTransID: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.2.0',
  }
  const ranges = Array.from({ length: 20_000 }, (_, i) => {
    const start = String(4_000_000_000 + i)
    return range(`${start}000000`, `${start}999999`, { actionInd: 'A' })
  })
  const checked = checkMessage(JSON.stringify({ ...pres(ranges), ...ids }), { types: ['PRes'] })
  if (checked.outcome === 'error') expect.fail(JSON.stringify(checked.erro))
  expect(rangesAfter(noRanges, checked.message).ranges).toHaveLength(20_000)
})
