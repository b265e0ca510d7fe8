import type { Parts } from '../../call.ts'
import type { Database } from '../../storage/database.ts'
import type { CardRow } from '../../vault/card-row.ts'
import { findCard } from '../../vault/find-card.ts'
import { readCard } from '../../vault/read-card.ts'
import { findInstrument } from '../payment-instruments.ts'
import type { SessionRecord } from './session-record.ts'

type Owner = Pick<SessionRecord, 'paymentInstrumentId' | 'accountId'>

/** What may be known of the card that a session authenticates. */
export async function cardOfSession(session: Owner, db: Database): Promise<CardRow> {
  return findCard(await cardIdOf(session, db), session.accountId, db)
}

/** The same card with its number and name, for an issuer that is about to be asked: neither kept, logged nor answered. */
export async function presentedCard(session: Owner, parts: Pick<Parts, 'db' | 'secrets'>) {
  return readCard(await cardIdOf(session, parts.db), session.accountId, parts)
}

async function cardIdOf({ paymentInstrumentId, accountId }: Owner, db: Database): Promise<string> {
  const instrument = await findInstrument(paymentInstrumentId, accountId, db)
  if (instrument === null) throw new Error(`The payment instrument ${paymentInstrumentId} of a session is gone.`)
  return instrument.cardId
}
