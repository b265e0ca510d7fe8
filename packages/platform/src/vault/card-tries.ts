import type { Caller } from '../call.ts'

/** Where a card, or a security code, came from. */
export interface CardSource {
  /** The id of the form's session. */
  session: string
  /** The client's address. */
  address: string
  /** Whose shop the form stands in. */
  account: Pick<Caller, 'accountId' | 'rateLimit'>
}

/** What was sent from a source of late. */
export interface CardCount {
  /** Whether the form or its address has sent many by now. */
  many: boolean
  /** Whether the account's shops are sent so many cards, or so many odd ones, that somebody may be testing them. */
  pressed: boolean
  /** When a form or address that has sent many has fewer again, in seconds. */
  retryAfterS: number
}

/**
 * How many cards may be tried, against those who test stolen numbers by the thousand. What one source sends refuses no
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
