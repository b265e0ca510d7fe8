/** What a number of pieces costs, all promotions included. */
export interface Priced {
  pieces: number
  /** In minor units. */
  amount: number
}

/**
 * What a bundle saves beside as many pieces at the price of the smallest bundle, which the same buyer can have as well.
 *
 * @returns The amount in minor units and whole percents, rounded down; `null` if it saves nothing.
 */
export function savingOf(bundle: Priced, all: readonly Priced[]): { amount: number; percent: number } | null {
  const smallest = all.reduce((least, each) => (each.pieces < least.pieces ? each : least), bundle)
  const apart = (smallest.amount * bundle.pieces) / smallest.pieces
  const amount = Math.floor(apart - bundle.amount)
  return amount > 0 ? { amount, percent: Math.floor((amount * 100) / apart) } : null
}

/** What one piece of a bundle costs, rounded to the minor unit. */
export function perPiece({ pieces, amount }: Priced): number {
  return Math.round(amount / pieces)
}
