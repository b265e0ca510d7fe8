import { z } from 'zod'

/** A card as the rest of the platform may know it: everything but the number and the security code. */
export interface CardRow {
  id: string
  brand: string
  last4: string
  /** The first six digits. */
  bin: string
  expMonth: number
  expYear: number
  funding: 'credit' | 'debit' | 'prepaid' | 'unknown'
  segment: 'consumer' | 'commercial' | 'unknown'
}

/** The columns of `cards` that `cardRow` reads. */
export const CARD_COLUMNS =
  'cards.id, cards.brand, cards.last4, cards.bin, cards.exp_month, cards.exp_year, cards.funding, cards.segment'

const columns = z
  .object({
    id: z.string(),
    brand: z.string(),
    last4: z.string(),
    bin: z.string(),
    exp_month: z.int(),
    exp_year: z.int(),
    funding: z.enum(['credit', 'debit', 'prepaid', 'unknown']),
    segment: z.enum(['consumer', 'commercial', 'unknown']),
  })
  .transform(({ exp_month: expMonth, exp_year: expYear, ...same }): CardRow => ({ ...same, expMonth, expYear }))

/** Reads a row of `cards`; further columns are left out. */
export function cardRow(row: unknown): CardRow {
  return columns.parse(row)
}
