/** Places for work of accounts, of which one must not take all. */
export interface AccountPlaces {
  /** How many are taken. */
  readonly taken: number
  /** Whether an account may take a place now. */
  isFreeFor(accountId: string): boolean
  /** Takes places, one unless told otherwise: what has become of another kind may have more than its share. */
  take(accountId: string, count?: number): void
  leave(accountId: string, count?: number): void
}

/**
 * Places that accounts share: each may take a further one as long as it has fewer than are free. One alone gets half of
 * them, two get a third each; however many accounts hold theirs for long, there are some left for the next one.
 *
 * @param places How many there are.
 */
export function accountPlaces(places: number): AccountPlaces {
  const takenBy = new Map<string, number>()
  let taken = 0
  return {
    get taken() {
      return taken
    },
    isFreeFor: (accountId) => (takenBy.get(accountId) ?? 0) < places - taken,
    take(accountId, count = 1) {
      takenBy.set(accountId, (takenBy.get(accountId) ?? 0) + count)
      taken += count
    },
    leave(accountId, count = 1) {
      const left = (takenBy.get(accountId) ?? 0) - count
      if (left > 0) takenBy.set(accountId, left)
      else takenBy.delete(accountId)
      taken -= count
    },
  }
}
