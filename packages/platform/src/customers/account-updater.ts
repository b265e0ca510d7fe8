import { emit, type Emitter } from '../events/index.ts'
import type { Write } from '../request-context.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { cardsTable } from '../vault/index.ts'
import { paymentInstrumentsTable, type Replacement } from './tables.ts'

/** The instrument whose card was renewed, and whose it is. */
export interface RenewedInstrument {
  accountId: string
  storeId: string
  customerId: string
  paymentInstrumentId: string
}

/**
 * An update of a card on file by the network's account updater: its present expiry date, and its new number, if any.
 */
export interface CardNews {
  /** 1 to 12. */
  expMonth: number
  /** Four digits. */
  expYear: number
  /** The last four digits of a new number; `null` if the number is unchanged. */
  newLast4: string | null
}

/**
 * The writes that record a renewed card. One that has kept its number gets the new expiry date, which processors are sent
 * from now on. The number of a new one is not here, so that the former one stays as it is, and says what it was replaced by.
 */
export function renewCard(
  { accountId, storeId, customerId, paymentInstrumentId }: RenewedInstrument,
  { expMonth, expYear, newLast4 }: CardNews,
  emitter: Emitter,
): Write[] {
  const ofInstrument = [accountId, paymentInstrumentId]
  const properties = { paymentInstrumentId, expMonth, expYear, newLast4 }
  const replacement = newLast4 === null ? null : ({ last4: newLast4, expMonth, expYear } satisfies Replacement)
  return [
    replacement === null
      ? { sql: setExpiry, params: [expMonth, expYear, accountId, ...ofInstrument] }
      : { sql: setReplacement, params: [JSON.stringify(replacement), ...ofInstrument] },
    { sql: noteChange, params: [emitter.nowMs, ...ofInstrument] },
    ...emit('s_payment_instrument_renewed', { storeId, customerId, properties }, emitter),
  ]
}

const setExpiry = `UPDATE cards SET exp_month = ?, exp_year = ? WHERE account_id = ?
  AND id = (SELECT card_id FROM payment_instruments WHERE account_id = ? AND id = ?)`

/** Of a card that was deactivated or erased meanwhile nothing is kept. */
const setReplacement =
  'UPDATE payment_instruments SET replacement = ? WHERE account_id = ? AND id = ? AND is_active = 1'

const noteChange = `UPDATE payment_instruments SET revision = revision + 1, updated_at = ?
  WHERE account_id = ? AND id = ?`

/** Whether news of a card are what is on record already: a processor that is sent the former number tells them each time. */
export async function isKnownOfCard(
  { accountId, paymentInstrumentId }: Pick<RenewedInstrument, 'accountId' | 'paymentInstrumentId'>,
  { expMonth, expYear, newLast4 }: CardNews,
  db: Database,
): Promise<boolean> {
  const [row] = readKnown(await db.read(selectKnown, [accountId, paymentInstrumentId]))
  if (row === undefined) return false
  const { exp_month, exp_year, replacement } = row
  const known = newLast4 === null ? { last4: null, expMonth: exp_month, expYear: exp_year } : replacement
  return known?.last4 === newLast4 && known.expMonth === expMonth && known.expYear === expYear
}

const selectKnown = `SELECT c.exp_month, c.exp_year, i.replacement FROM payment_instruments i
  JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id WHERE i.account_id = ? AND i.id = ?`

const readKnown = rowReader({
  ...pick(cardsTable, 'exp_month', 'exp_year'),
  ...pick(paymentInstrumentsTable, 'replacement'),
})
