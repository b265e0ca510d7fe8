import { checkMessage, type EmvMessage } from '@tillwright/emv-3ds'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { manualClock, seededRandomness } from '../../runtime/index.ts'
import { issuerOfCard, noRanges, rangesAfter } from './card-ranges.ts'
import { watchRanges } from './ranges.ts'
import { directorySettings } from './settings.ts'

function range(startRange: string, endRange: string, more: object = {}) {
  return { startRange, endRange, acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.2.0', ...more }
}

function pres(cardRangeData: object[] | undefined, serialNumber: string | null = '1'): EmvMessage {
  const ranges = cardRangeData === undefined ? {} : { cardRangeData: JSON.parse(JSON.stringify(cardRangeData)) }
  const number = serialNumber === null ? {} : { serialNumber }
  const spoken = { dsStartProtocolVersion: '2.1.0', dsEndProtocolVersion: '2.2.0' }
  return { messageType: 'PRes', messageVersion: '2.2.0', ...spoken, ...number, ...ranges }
}

const DAY_MS = 24 * 60 * 60 * 1_000

const visa = range('4000000000000000', '4999999999999999', { threeDSMethodURL: 'https://acs.example/visa' })
const amex = range('340000000000000', '349999999999999', { acsEndProtocolVersion: '2.1.0' })

test('a card is found in its range, with the issuer’s method page and newest version', () => {
  const known = rangesAfter(noRanges, pres([visa, amex]))
  expect(issuerOfCard('4242424242424242', known)).toMatchObject({
    methodUrl: 'https://acs.example/visa',
    versions: ['2.1.0', '2.2.0'],
  })
  expect(issuerOfCard('340000000000009', known)).toMatchObject({ methodUrl: null, versions: ['2.1.0'] })
  expect(issuerOfCard('5555555555554444', known)).toBeNull()
  expect(issuerOfCard('4242424242424242', noRanges)).toBeNull()
})

test('an issuer that speaks nothing that is spoken here has no version', () => {
  const newer = range('51', '52', { acsStartProtocolVersion: '2.3.1', acsEndProtocolVersion: '2.3.1' })
  const known = rangesAfter(noRanges, pres([{ ...newer, startRange: '5100000000000', endRange: '5299999999999' }]))
  expect(issuerOfCard('5200000000000007', known)).toMatchObject({ versions: [] })
})

test('a version that the directory does not speak is none, whatever the issuer speaks', () => {
  const known = rangesAfter(noRanges, { ...pres([visa]), dsStartProtocolVersion: '2.2.0' })
  expect(issuerOfCard('4242424242424242', known)).toMatchObject({ versions: ['2.2.0'] })
})

test('of ranges that overlap the narrowest tells of a card, and the wider one of the cards around it and behind it', () => {
  const own = (threeDSMethodURL: string) => ({ threeDSMethodURL: `https://acs.example/${threeDSMethodURL}` })
  const narrow = range('4200000000000000', '4299999999999999', own('narrow'))
  const narrower = range('4242000000000000', '4242999999999999', own('narrower'))
  const first = range('4000000000000000', '4000999999999999', own('first'))
  const listed = [narrower, first, visa, narrow]
  const known = rangesAfter(noRanges, pres(listed))
  const url = (number: string, table = known) => issuerOfCard(number, table)?.methodUrl?.split('/').at(-1)
  expect(url('4242424242424242')).toBe('narrower')
  expect(url('4250000000000000')).toBe('narrow')
  expect(url('4300000000000000')).toBe('visa')
  expect([url('4000000000000002'), url('4001000000000000')]).toEqual(['first', 'visa'])
  expect(url('5000000000000000')).toBeUndefined()
  const deleted = rangesAfter(known, pres([{ ...narrower, actionInd: 'D' }], '2'))
  expect(url('4242424242424242', deleted)).toBe('narrow')
})

test('later answers change what was known: ranges come, go and change, and no ranges are no change', () => {
  const known = rangesAfter(noRanges, pres([visa, amex]))
  const changed = { ...visa, actionInd: 'M', threeDSMethodURL: 'https://acs.example/new' }
  const next = rangesAfter(known, pres([changed, { ...amex, actionInd: 'D' }], '2'))
  expect(next.serialNumber).toBe('2')
  expect(issuerOfCard('4242424242424242', next)).toMatchObject({ methodUrl: 'https://acs.example/new' })
  expect(issuerOfCard('340000000000009', next)).toBeNull()
  expect(rangesAfter(next, pres(undefined, '3'))).toEqual({ ...next, serialNumber: '3' })
})

test('of a directory that counts nothing each answer is the whole of it', () => {
  const known = rangesAfter(noRanges, pres([visa, amex], null))
  expect(rangesAfter(known, pres([amex], null)).count).toBe(1)
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
      const listed = pairs.map(([from, to]) => range(text(from).padEnd(16, '0'), text(to).padEnd(16, '9')))
      const found = issuerOfCard(text(prefix).padEnd(16, '5'), rangesAfter(noRanges, pres(listed.toReversed())))
      expect(found !== null).toBe(pairs.some(([from, to]) => from <= prefix && prefix <= to))
    }),
    { numRuns: 100 },
  )
})

/** As a directory answers, to the number of a range. */
function presOf(ranges: number, threeDSServerTransID: string, actionInd = 'A'): string {
  const listed = Array.from({ length: ranges }, (_, i) => {
    const start = String(4_000_000_000 + i)
    const threeDSMethodURL = `https://acs.example/${i % 7}`
    return range(`${start}000000`, `${start}999999`, { actionInd, threeDSMethodURL })
  })
  return JSON.stringify({
    ...pres(listed),
    threeDSServerTransID,
    dsTransID: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.2.0',
  })
}

test('of 20,000 ranges a card is found by looking at 16 of them', () => {
  const checked = checkMessage(presOf(20_000, '8a880dc0-d2d2-4067-bcb1-b08d1690b26e'), { types: ['PRes'] })
  if (checked.outcome === 'error') expect.fail(JSON.stringify(checked.erro))
  const known = rangesAfter(noRanges, checked.message)
  expect(known.count).toBe(20_000)
  const looked = new Set<PropertyKey>()
  const starts = new Proxy(known.starts, {
    get: (all, name) => {
      looked.add(name)
      return Reflect.get(all, name, all)
    },
  })
  expect(issuerOfCard('4000012345000005', { ...known, starts })).toMatchObject({ methodUrl: 'https://acs.example/4' })
  expect(looked.size).toBeLessThanOrEqual(16)
})

test('a thread hands ranges over in shared memory, whatever their number, and nothing else that grows with it', () => {
  const known = rangesAfter(noRanges, pres([visa, amex]))
  const columns = Object.values(known).filter((value) => typeof value === 'object')
  expect(columns).toHaveLength(6)
  for (const column of columns) expect(column.buffer).toBeInstanceOf(SharedArrayBuffer)
})

test('a large answer is read by a thread, and a change of it too', async () => {
  const url = 'https://ds.example'
  const clock = manualClock(0)
  const find = watchRanges({
    settings: directorySettings.parse({ serverReferenceNumber: '3DS_LOA_SER_TEST_020200_00001', url }),
    services: { clock, randomness: seededRandomness('ranges'), log: pino({ enabled: false }) },
    async link({ text }) {
      const { threeDSServerTransID, serialNumber } = JSON.parse(text)
      const isFirst = serialNumber === undefined
      return Buffer.from(isFirst ? presOf(2_000, threeDSServerTransID) : presOf(1, threeDSServerTransID, 'D'))
    },
  })
  const issuer = { methodUrl: 'https://acs.example/4', versions: ['2.1.0', '2.2.0'] }
  expect(await find('4000001999000005', url)).toEqual(issuer)
  expect(await find('4000002000000005', url)).toBeNull()
  clock.advance(DAY_MS)
  await find('4000001999000005', url) // asks for changes, and goes on with what is known
  await expect.poll(() => find('4000000000000005', url)).toBeNull()
  expect(await find('4000001999000005', url)).toEqual(issuer)
})
