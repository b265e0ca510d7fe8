import type { PaymentInstrument } from '@tillwright/contract'
import { brandOf } from './brand.ts'

/** How a card draws on money, and whom it was issued to. */
export type Enrichment = PaymentInstrument['cardEnrichment']

/**
 * Tells funding and segment from the first six digits of a card number.
 *
 * @param number Digits only.
 * @returns `unknown` where neither the number's range nor its network says so; Maestro and Bancontact are debit networks.
 */
export function enrichmentOf(number: string): Enrichment {
  const known = byBin[number.slice(0, 6)]
  if (known !== undefined) return known
  const isDebit = ['maestro', 'bancontact'].includes(brandOf(number))
  return { funding: isDebit ? 'debit' : 'unknown', segment: 'unknown' }
}

const consumerCredit: Enrichment = { funding: 'credit', segment: 'consumer' }
const consumerDebit: Enrichment = { funding: 'debit', segment: 'consumer' }

/** The ranges of the published test cards: no issuer has them, so they keep their meaning. */
const byBin: Readonly<Record<string, Enrichment>> = {
  '424242': consumerCredit, // 4242 4242 4242 4242
  '400000': consumerCredit, // 4000 0000 0000 0002, 4000 0000 0000 9995 and the other outcomes
  '400005': consumerDebit, // 4000 0566 5566 5556
  '555555': consumerCredit, // 5555 5555 5555 4444
  '222300': consumerCredit, // 2223 0031 2200 3222
  '520082': consumerDebit, // 5200 8282 8282 8210
  '510510': { funding: 'prepaid', segment: 'consumer' }, // 5105 1051 0510 5100
  '378282': consumerCredit, // 3782 822463 10005
  '378734': { funding: 'credit', segment: 'commercial' }, // 3787 344936 71000
  '601111': consumerCredit, // 6011 1111 1111 1117
  '601198': consumerDebit, // 6011 9811 1111 1113
  '305693': consumerCredit, // 3056 930009 0200 04
  '362272': consumerCredit, // 3622 720627 1667
  '356600': consumerCredit, // 3566 0020 2036 0505
  '620000': consumerCredit, // 6200 0000 0000 0005
}
