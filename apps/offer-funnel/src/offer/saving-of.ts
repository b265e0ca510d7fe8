/** The price of a number of pieces, after promotions. */
export interface Priced {
  pieces: number
  /** In minor units. */
  amount: number
}

/**
 * The saving of a bundle, compared with the same number of pieces at the price of the smallest bundle.
 *
 * @returns The amount in minor units and whole percents, rounded down; `null` if it saves nothing.
 */
export function savingOf(bundle: Priced, all: readonly Priced[]): { amount: number; percent: number } | null {
  const smallest = all.reduce((least, each) => (each.pieces < least.pieces ? each : least), bundle)
  const apart = (smallest.amount * bundle.pieces) / smallest.pieces
  const amount = Math.floor(apart - bundle.amount)
  return amount > 0 ? { amount, percent: Math.floor((amount * 100) / apart) } : null
}

/** Price per piece of a bundle, rounded to the minor unit. */
export function perPiece({ pieces, amount }: Priced): number {
  return Math.round(amount / pieces)
}
