/** How many cards may be tried, against those who test stolen numbers by the thousand. */
export interface CardTries {
  /**
   * Counts a card, or a security code, that a form sends.
   *
   * @param session The id of the form's session.
   * @returns Whether the form has sent many by now, so that it may be asked for a challenge.
   * @throws {ApiError} `rate_limit_exceeded` when the form has sent its share.
   */
  count(session: string): Promise<{ many: boolean }>
  /** Counts what an address sends against its softer limit, and says whether that is passed. */
  countSoft(address: string): Promise<boolean>
  /**
   * Counts what an honest buyer's form hardly ever sends as further tries of the form and its address: a number that no
   * form lets through or no network is known for, and a card that is declined as only tested cards are.
   */
  countOdd(session: string, address: string): Promise<void>
}
