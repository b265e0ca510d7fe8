/** How many cards may be tried, against those who test stolen numbers by the thousand. */
export interface CardTries {
  /**
   * Counts a card that a form sends.
   *
   * @param session The id of the form's session.
   * @throws {ApiError} `rate_limit_exceeded` when the form has sent its share.
   */
  count(session: string): Promise<void>
  /**
   * Counts a number that no form sends, or that no network is known for, as further tries of the form and its address:
   * forms check a number before they send it, so such numbers come from a program or run out fast.
   */
  countOdd(session: string, address: string): Promise<void>
}
