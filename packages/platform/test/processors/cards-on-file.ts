/** Cards on file of which the account updater of their network has news, at the simulator and every double that has one. */
export const RENEWED = '4000000000004004'
/** The issuer has given out another one in its place. */
export const REPLACED = '4000000000004012'
/** The account was closed. */
export const CLOSED = '4000000000004020'

/** The renewed card as it is now, and the one that has taken the place of the replaced one. */
export const renewedTo = { expMonth: 6, expYear: 2043, newLast4: null } as const
export const replacedBy = { expMonth: 3, expYear: 2044, newLast4: '1111' } as const

/** A card as a processor is sent it. */
export interface SentCard {
  number: string
  expMonth: number
  expYear: number
}

/** The news of a card on file; `null` where the card is as its network knows it. */
export function newsOfCard({ number, expMonth, expYear }: SentCard): 'renewed' | 'replaced' | 'closed' | null {
  if (number === CLOSED) return 'closed'
  if (number === REPLACED) return 'replaced'
  const isCurrent = expMonth === renewedTo.expMonth && expYear === renewedTo.expYear
  return number === RENEWED && !isCurrent ? 'renewed' : null
}
