import cardValidator from 'card-validator'
import creditCardType from 'credit-card-type'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { brandOf } from './brands.ts'
import { checkCard } from './check-card.ts'
import { allRanges, brandNames, type BrandName } from '@tillwright/contract/networks'

/** A brand that the oracle names where the form names another, and why the form is right to. */
interface OtherBrand {
  theirs: readonly string[]
  ours: readonly BrandName[]
  /** The numbers that this is about. */
  at: RegExp
  /** Why, and where that stands. */
  reason: string
}

const otherBrands: readonly OtherBrand[] = [
  {
    theirs: ['unknown', 'jcb'],
    ours: ['uatp'],
    at: /^1/,
    reason: 'UATP is not in the oracle. Source: ISO/IEC 7812-1, major industry 1; UATP cards begin with 1.',
  },
  {
    theirs: ['jcb'],
    ours: ['unknown'],
    at: /^2131/,
    reason:
      "JCB's series of 15 digits is no longer issued, and it never had 16. Source: JCB's range of today, 3528 to 3589.",
  },
  {
    theirs: ['unknown'],
    ours: ['diners'],
    at: /^3095/,
    reason: "Diners Club International issues 3095. Source: Discover Global Network's table of IIN ranges.",
  },
  {
    theirs: ['maestro', 'discover', 'unknown'],
    ours: ['rupay'],
    at: /^(508|60[678]|65[23]|81|820)/,
    reason: 'RuPay is not in the oracle. Source: the ranges that NPCI gives to its acquirers.',
  },
  {
    theirs: ['maestro'],
    ours: ['unknown'],
    at: /^59/,
    reason: 'Maestro ends at 58. Source: Mastercard rules, account ranges 500000 to 509999 and 560000 to 589999.',
  },
  {
    theirs: ['maestro'],
    ours: ['unknown'],
    at: /^6/,
    reason:
      'Maestro may issue in all of 6, and so do dozens of local schemes: a name would be a guess. An unknown brand is taken by the same rules. Source: ISO/IEC 7812-1, major industry 6 is open to all banks.',
  },
  {
    theirs: ['maestro'],
    ours: ['unionpay'],
    at: /^62/,
    reason: "All of 62 is UnionPay's; the oracle lists the parts that had been issued. Source: UnionPay International.",
  },
  {
    theirs: ['maestro', 'visa'],
    ours: ['bancontact'],
    at: /^(6703|479658|606005)/,
    reason:
      'Bancontact is not in the oracle; the form offers the partner as the second network. Source: its processors.',
  },
  {
    theirs: ['maestro', 'discover'],
    ours: ['verve'],
    at: /^(506|507|650)/,
    reason: "Verve's ranges are whole; the oracle lists the parts that had been issued. Source: Interswitch.",
  },
  {
    theirs: ['naranja'],
    ours: ['visa', 'mastercard'],
    at: /^(402918|527572)/,
    reason: 'Naranja X is an issuer whose cards run over the network that the form names. Source: Naranja X.',
  },
  {
    theirs: ['naranja'],
    ours: ['unknown'],
    at: /^589562/,
    reason: "Naranja's own network has no name in the form. Source: Mercado Pago's table of payment methods.",
  },
  {
    theirs: ['maestro'],
    ours: ['unknown'],
    at: /^5019/,
    reason: 'Dankort, a network of Denmark alone, lies in a range of Maestro. Source: Nets.',
  },
]

/** Lengths of numbers on which the two disagree though they name the same brand. */
const otherLengths: readonly { brand: BrandName; lengths: readonly number[]; isOurs: boolean; reason: string }[] = [
  {
    brand: 'visa',
    lengths: [13],
    isOurs: true,
    reason: 'Old cards of Visa have 13 digits, and test numbers of that length are in use. Source: Visa.',
  },
  {
    brand: 'visa',
    lengths: [18],
    isOurs: false,
    reason: 'Visa has numbers of 13, 16 and 19 digits. Source: Visa.',
  },
  {
    brand: 'discover',
    lengths: [17, 18],
    isOurs: true,
    reason: 'From 16 to 19 digits, each of them. Source: Discover Global Network, IIN ranges.',
  },
  {
    brand: 'diners',
    lengths: [15, 17, 18],
    isOurs: true,
    reason: 'From 14 to 19 digits, each of them. Source: Discover Global Network, IIN ranges.',
  },
  {
    brand: 'unionpay',
    lengths: [14, 15],
    isOurs: false,
    reason: 'From 16 to 19 digits. Source: UnionPay International.',
  },
  {
    brand: 'unknown',
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
    isOurs: true,
    reason:
      'A network that the table lacks is for the bank to judge, not for the form. Source: ISO/IEC 7812-1, lengths.',
  },
]

const theirNames: Readonly<Record<string, string>> = { 'american-express': 'amex', 'diners-club': 'diners' }

/** All ends of ranges, the oracle's and ours, with their neighbours, filled up to the eight digits that decide. */
const ends = [...allRanges().flatMap(({ low, high }) => [low, high]), ...theirEnds()]
const prefixesAtEnds = new Set(
  ends.flatMap((end) =>
    [-1, 0, 1].flatMap((step) => {
      const digits = String(Number(end) + step)
      return [digits.padEnd(8, '0'), digits.padEnd(8, '9')]
    }),
  ),
)

test('every brand is the one that credit-card-type names, or there is a reason', () => {
  const random = fc.sample(fc.nat(99_999_999), { seed: 7812, numRuns: 100_000 })
  const used = new Set<OtherBrand>()
  for (const digits of [...prefixesAtEnds, ...random.map((value) => String(value).padStart(8, '0'))]) {
    const [theirs, ours] = [theirBrand(digits), brandOf(digits).name]
    if (theirs === ours) continue
    const reason = otherBrands.find(
      (other) => other.theirs.includes(theirs) && other.ours.includes(ours) && other.at.test(digits),
    )
    if (!reason) expect.fail(`${digits} is ${ours} here and ${theirs} there.`)
    used.add(reason)
  }
  expect(otherBrands.filter((other) => !used.has(other))).toEqual([])
})

test('every number is judged as card-validator judges it, or there is a reason', () => {
  const used = new Set<string>()
  for (const digits of prefixesAtEnds) {
    const { name } = brandOf(digits)
    if (theirBrand(digits) !== name) continue
    for (let length = 12; length <= 19; length += 1) {
      // Of two last digits that follow each other at most one is a check digit.
      for (const number of [digits.padEnd(length, '0'), digits.padEnd(length - 1, '0') + (length % 10)]) {
        const isOurs = checkCard({ number, expiry: '', cvc: '' }, 0).errors.number === null
        if (cardValidator.number(number).isValid === isOurs) continue
        const other = otherLengths.find(
          ({ brand, lengths, ...row }) => brand === name && lengths.includes(length) && row.isOurs === isOurs,
        )
        if (!other) expect.fail(`${number} is ${isOurs ? 'taken' : 'refused'} here and not there.`)
        used.add(other.reason)
      }
    }
  }
  expect(otherLengths.filter(({ reason }) => !used.has(reason))).toEqual([])
})

test('a correct check digit is what both look for', () => {
  const numbers = fc.record({
    start: fc.constantFrom('4', '51', '2221', '6011', '3528'),
    rest: fc.stringMatching(/^\d{15}$/),
  })
  fc.assert(
    fc.property(numbers, ({ start, rest }) => {
      const number = (start + rest).slice(0, 16)
      const isOurs = checkCard({ number, expiry: '', cvc: '' }, 0).errors.number === null
      expect(isOurs).toBe(cardValidator.number(number).isValid)
    }),
    { numRuns: 2_000 },
  )
})

test('codes and groups are those of credit-card-type', () => {
  const compared = brandNames.flatMap((name) => {
    const [start] = allRanges().filter(({ network }) => network === name)
    const [type] = start ? creditCardType(start.low.padEnd(8, '0')) : []
    return type && (theirNames[type.type] ?? type.type) === name ? [{ brand: brandOf(start?.low ?? ''), type }] : []
  })
  expect(compared.length).toBeGreaterThanOrEqual(12)
  for (const { brand, type } of compared) {
    expect([brand.name, brand.cvcName, brand.cvcLengths]).toEqual([brand.name, type.code.name, [type.code.size]])
    expect(brand.breaks.filter((place) => place < 16)).toEqual(type.gaps)
  }
})

test('there are at most twenty reasons', () => {
  expect(otherBrands.length + otherLengths.length).toBeLessThanOrEqual(20)
})

/** @param digits Eight of them, after which the oracle is never in doubt. */
function theirBrand(digits: string): string {
  const [type] = creditCardType(digits)
  return type ? (theirNames[type.type] ?? type.type) : 'unknown'
}

function theirEnds(): string[] {
  return creditCardType('').flatMap(({ patterns }) => patterns.flat().map(String))
}
