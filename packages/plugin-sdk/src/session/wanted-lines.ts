import type { LineRef, SessionOrder, WantedLine } from '../api/session-order.ts'

/**
 * What an order was asked for, to be asked for again: its lines without gifts, with the trials that the order does not
 * tell apart from those of promotions.
 *
 * @param known The lines as they were last sent.
 */
export function wantedLines({ lines }: Pick<SessionOrder, 'lines'>, known: readonly WantedLine[]): WantedLine[] {
  return lines
    .filter(({ promotionId }) => promotionId === null)
    .map((line) => {
      const { variantId, priceId, quantity } = line
      return { variantId, priceId, quantity, trialDays: known.find((each) => isSameLine(each, line))?.trialDays }
    })
}

/** Whether two mean the same line. One that names no price means any. */
export function isSameLine(one: LineRef, other: LineRef): boolean {
  return one.variantId === other.variantId && (!one.priceId || !other.priceId || one.priceId === other.priceId)
}
