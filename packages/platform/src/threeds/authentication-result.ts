import { isObject } from '@tillwright/contract/json'
import type { AuthenticationResult } from '../processors/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import type { SessionRecord } from './session-records.ts'
import { threedsMessagesTable } from './tables.ts'

/**
 * The result of a session's authentication as processors are sent it; `null` where it proves nothing to the card's
 * network. Fields that the session itself does not keep are read from its messages: what was asked for, and what Cartes
 * Bancaires adds.
 */
export async function authenticationResultOf(
  session: Authenticated,
  db: Database,
): Promise<AuthenticationResult | null> {
  const { authentication, accountId, externalSessionId } = session
  if (authentication === null) return null
  const { eci, authenticationValue, dsTransactionId, acsTransactionId, transStatus } = authentication
  if (eci === null || authenticationValue === null || dsTransactionId === null) return null
  const messages = readMessages(await db.read(selectMessages, [accountId, externalSessionId]))
  const asked = messageOf('AReq', messages)['threeDSRequestorChallengeInd']
  const answer = messageOf('ARes', messages)
  return {
    authenticationStatus: textOrNull(answer['transStatus']) ?? transStatus,
    finalStatus: transStatus,
    eci,
    authenticationValue,
    dsTransactionId,
    threedsServerTransactionId: externalSessionId,
    acsTransactionId,
    version: authentication.threeDsVersion,
    score: extensionOf(answer, 'CB-SCORE'),
    cavvAlgorithm: extensionOf(answer, 'CB-AVALGO'),
    challengePreference: textOrNull(asked),
  }
}

type Authenticated = Pick<SessionRecord, 'authentication' | 'accountId' | 'externalSessionId'>

const selectMessages = `SELECT type, message FROM threeds_messages
  WHERE account_id = ? AND transaction_id = ? AND type IN ('AReq', 'ARes') ORDER BY position`
const readMessages = rowReader(pick(threedsMessagesTable, 'type', 'message'))

/** The last of its type: a directory is asked again in another version where it does not speak the first. */
function messageOf(type: string, messages: ReturnType<typeof readMessages>): Record<string, unknown> {
  const message = messages.findLast((each) => each.type === type)?.message
  return isObject(message) ? message : {}
}

/** A field of a message extension by its name. Source: Stripe, "three_d_secure", network_options.cartes_bancaires. */
function extensionOf({ messageExtension }: Record<string, unknown>, field: string): string | null {
  const extensions: readonly unknown[] = Array.isArray(messageExtension) ? messageExtension : []
  for (const extension of extensions) {
    const { data } = isObject(extension) ? extension : { data: null }
    const value = isObject(data) ? data[field] : null
    if (typeof value === 'string' || typeof value === 'number') return String(value)
  }
  return null
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
