import { DECLINE_COUNTS_MS } from '@tillwright/contract'
import type { Caller } from '../request-context.ts'
import { type Database, DELETED_MAX, rowReader, type Statement, text } from '../storage/index.ts'
import { SERVICE_TOKEN_TTL_S } from './service-tokens.ts'

/** Where a card was sent from. */
export interface CardSender {
  /** The id of the form's session. */
  session: string
  address: string
}

/**
 * Returns the sender of the most recently used card or security code; `null` if that was too long ago to be meaningful.
 */
export async function findSender(
  cardId: string,
  accountId: string,
  { db, nowMs }: { db: Database; nowMs: number },
): Promise<CardSender | null> {
  const [row] = readSenders(await db.read(selectSender, [accountId, cardId, expiredBefore(nowMs)]))
  return row === undefined ? null : { session: row.frame_session, address: row.frame_address }
}

const readSenders = rowReader({ frame_session: text, frame_address: text })

/** The condition on a card that some token of it was used. */
const wasRedeemed = (card: { accountId: string; id: string }): string =>
  `EXISTS (SELECT 1 FROM card_tokens used WHERE used.account_id = ${card.accountId} AND used.card_id = ${card.id}
    AND used.used_at IS NOT NULL)`

/** Forgets senders that no decline can tell of any more, some at a time: an address is a person's. */
export function forgetSenders(nowMs: number): Statement {
  return {
    sql: `UPDATE card_tokens SET frame_session = NULL, frame_address = NULL WHERE (account_id, id) IN (
        SELECT account_id, id FROM card_tokens WHERE frame_address IS NOT NULL AND expires_at <= ? AND used_at IS NOT NULL
        LIMIT ${DELETED_MAX})
      RETURNING 1 AS forgotten`,
    params: [expiredBefore(nowMs)],
  }
}

/**
 * Deletes tokens that nobody has used in their time, some at a time: anyone can have any number of them made. That of a card
 * that is to be deleted is kept until it is, which goes by it.
 */
export function forgetUnusedTokens(nowMs: number): Statement {
  const card = { accountId: 'card_tokens.account_id', id: 'card_tokens.card_id' }
  return {
    sql: `DELETE FROM card_tokens WHERE (account_id, id) IN (
        SELECT account_id, id FROM card_tokens WHERE frame_address IS NOT NULL AND expires_at <= ? AND used_at IS NULL
          AND (${wasRedeemed(card)}
            OR NOT EXISTS (SELECT 1 FROM cards WHERE cards.account_id = ${card.accountId} AND cards.id = ${card.id}))
        LIMIT ${DELETED_MAX})
      RETURNING 1 AS deleted`,
    params: [expiredBefore(nowMs)],
  }
}

/**
 * Deletes cards whose token nobody has used in its time, some at a time: none can be charged any more, and no customer has them.
 * The token of a saved card's security code is unused as well, but that of its card is not.
 */
export function forgetUnusedCards(nowMs: number): Statement {
  return {
    sql: `DELETE FROM cards WHERE (account_id, id) IN (
        SELECT account_id, card_id FROM card_tokens WHERE frame_address IS NOT NULL AND expires_at <= ? AND used_at IS NULL
        LIMIT ${DELETED_MAX})
      AND NOT ${wasRedeemed({ accountId: 'cards.account_id', id: 'cards.id' })} RETURNING 1 AS deleted`,
    params: [expiredBefore(nowMs)],
  }
}

/** Tokens are younger than `DECLINE_COUNTS_MS` when they expire after this. */
function expiredBefore(nowMs: number): number {
  return nowMs - DECLINE_COUNTS_MS + SERVICE_TOKEN_TTL_S * 1_000
}

/** An unspent token is no evidence: anyone may have created it. */
const selectSender = `SELECT frame_session, frame_address FROM card_tokens
  WHERE account_id = ? AND card_id = ? AND frame_address IS NOT NULL AND used_at IS NOT NULL AND expires_at > ?
  ORDER BY used_at DESC, id LIMIT 1`

/** Where a card, or a security code, came from. */
export interface CardSource {
  /** The id of the form's session. */
  session: string
  /** The client's address. */
  address: string
  /** The account whose shop embeds the form. */
  account: Pick<Caller, 'accountId' | 'rateLimit'>
}

/** Recent messages from one source. */
export interface CardCount {
  /** Whether the form or its address has sent many cards recently. */
  many: boolean
  /** Whether the account's shops receive so many cards, or so many unusual ones, that card testing is likely. */
  pressed: boolean
  /** Seconds until a form or address over the threshold drops below it again. */
  retryAfterS: number
}

/**
 * How many cards may be tried, against those who test stolen numbers by the thousand. The cards of one source refuse no
 * other: an account under pressure asks more of each form, and an ordinary buyer's card still passes.
 */
export interface CardTries {
  /**
   * Counts a card, or a security code, that a form sends.
   *
   * @throws {ApiError} `rate_limit_exceeded` when the form has sent its share.
   */
  count(source: CardSource): Promise<CardCount>
  /**
   * Counts what an honest buyer's form hardly ever sends as further tries of the form, its address and the account: a
   * number that no form lets through or no network is known for, and a card that is declined as only tested cards are.
   */
  countOdd(source: CardSource): Promise<void>
}
