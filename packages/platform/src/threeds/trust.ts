import { isObject } from '@tillwright/contract/json'
import type { Write } from '../request-context.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import type { SessionRecord } from './session-records.ts'
import { threedsMessagesTable } from './tables.ts'

type AuthenticatedSession = Pick<SessionRecord, 'accountId' | 'externalSessionId' | 'paymentInstrumentId'>

/**
 * The statement that keeps whether a buyer has the merchant on their list of trusted beneficiaries, where the issuer has
 * told it with an authentication; none where it has not. Source: EMV 3DS 2.2.0, whiteListStatus: Y is on the list; N, E, P
 * and R are not, not eligible, pending and rejected; U is unknown.
 */
export async function keepTrust(session: AuthenticatedSession, db: Database): Promise<Write[]> {
  const { accountId, externalSessionId, paymentInstrumentId } = session
  const messages = readMessages(await db.read(selectMessages, [accountId, externalSessionId]))
  const status = messages
    .map(({ message }) => (isObject(message) ? message['whiteListStatus'] : undefined))
    .findLast((each) => typeof each === 'string' && each !== 'U')
  if (status === undefined) return []
  return [
    {
      sql: 'UPDATE payment_instruments SET is_trusted = ? WHERE account_id = ? AND id = ? AND is_active = 1',
      params: [Number(status === 'Y'), accountId, paymentInstrumentId],
    },
  ]
}

const selectMessages = `SELECT message FROM threeds_messages
  WHERE account_id = ? AND transaction_id = ? AND type IN ('ARes', 'RReq') ORDER BY position`
const readMessages = rowReader(pick(threedsMessagesTable, 'message'))
