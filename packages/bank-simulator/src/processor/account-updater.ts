/** What the account updater of a card's network tells of it: its present expiry date, and its new number, if any. */
export interface CardNews {
  /** 1 to 12. */
  expMonth: number
  /** Four digits. */
  expYear: number
  /** The last four digits of a new number; `null` if the number is unchanged. */
  newLast4: string | null
}

/** Test cards that are charged once, and of which their network has news when they are charged on file. Our own. */
const updatedCards: ReadonlyMap<string, CardNews | 'closed'> = new Map<string, CardNews | 'closed'>([
  ['4000000000004004', { expMonth: 6, expYear: 2043, newLast4: null }],
  ['4000000000004012', { expMonth: 3, expYear: 2044, newLast4: '1111' }],
  ['4000000000004020', 'closed'],
])

/** The news of a card on file; `null` where it is sent as its network knows it. */
export function newsOf(card: { number: string; expMonth: number; expYear: number }): CardNews | 'closed' | null {
  const news = updatedCards.get(card.number) ?? null
  if (news === null || news === 'closed' || news.newLast4 !== null) return news
  const isCurrent = card.expYear === news.expYear && card.expMonth === news.expMonth
  return isCurrent ? null : news
}
