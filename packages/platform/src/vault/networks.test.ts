import { join } from 'node:path'
import { allRanges, networksOf } from '@tillwright/contract/networks'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../runtime/errors.ts'
import { checkCard } from './check-card.ts'

const frameRules = join(import.meta.dirname, '../../../checkout/src/card')
// The vault runs no code of the checkout, so the compiler is not told of it either: only this test may load it.
const frame = await import(join(frameRules, 'check-card.ts'))

const nowMs = Date.UTC(2030, 5, 15)
const good = { number: '4242424242424242', expMonth: 6, expYear: 2031, cvc: '123' }

test('the vault takes a number of any length exactly if the card form does, at both ends of every range', () => {
  const ends = allRanges().flatMap(({ low, high }) => [low, high, String(Number(low) - 1), String(Number(high) + 1)])
  for (const end of new Set(ends)) {
    for (let length = 11; length <= 20; length += 1) {
      const number = withCheckDigit(end.padEnd(length - 1, '0'))
      const cvc = networksOf(number)[0] === 'amex' ? '1234' : '123'
      const card = { ...good, number, cvc }
      const sent = fromFrame(card)
      expect(vaultTakes(sent ?? card), number).toBe(sent !== null)
    }
  }
})

test('the vault takes any card exactly if the card form does', () => {
  const cards = fc.record({
    number: fc.tuple(fc.stringMatching(/^\d{10,19}$/), fc.boolean()).map(([digits, isFit]) => {
      return isFit ? withCheckDigit(digits) : digits
    }),
    expMonth: fc.oneof(fc.constant(6), fc.integer({ min: 0, max: 13 })),
    expYear: fc.oneof(fc.constant(2031), fc.integer({ min: 2029, max: 2052 })),
    cvc: fc.oneof(fc.constantFrom('123', '1234'), fc.stringMatching(/^\d{0,5}$/)),
    name: fc.oneof(fc.constant('Ada Lovelace'), fc.string({ maxLength: 50, unit: 'grapheme' })),
  })
  fc.assert(
    fc.property(cards, (card) => {
      const sent = fromFrame(card)
      expect(vaultTakes(sent ?? card)).toBe(sent !== null)
    }),
    { numRuns: 2_000 },
  )
})

test('whichever network of a co-badged card the buyer chooses in the form, the vault takes it and stores that one', () => {
  const coBadged = allRanges()
    .map(({ low }) => withCheckDigit(low.padEnd(15, '0')))
    .filter((number) => networksOf(number).length > 1)
  expect(coBadged.length).toBeGreaterThan(50)
  for (const number of coBadged) {
    for (const network of networksOf(number)) {
      const sent = fromFrame({ ...good, number }, { allowed: [network] })
      expect(checkCard({ ...sent, ...moment }, [moment.origin], nowMs).brand).toBe(network)
    }
  }
})

type TypedCard = typeof good & { name?: string }

const moment = { iat: nowMs / 1_000, jti: 'A'.repeat(22), origin: 'https://shop.example' }

/** The card as the form would send it; `null` if the form rejects it. */
function fromFrame(card: TypedCard, filter: { allowed?: string[] } = {}): TypedCard | null {
  const expiry = `${String(card.expMonth).padStart(2, '0')} / ${card.expYear}`
  return frame.checkCard({ ...card, expiry }, nowMs, filter).card
}

function vaultTakes(card: TypedCard): boolean {
  try {
    checkCard({ ...card, ...moment }, [moment.origin], nowMs)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Written apart from the rules under test: doubles every second digit from the right and fills up to ten. */
function withCheckDigit(digits: string): string {
  const doubled = Array.from(digits.split('').toReversed(), (digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1))
  const sum = doubled
    .join('')
    .split('')
    .reduce((total, digit) => total + Number(digit), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
