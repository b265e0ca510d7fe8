/** How often one card may be declined within a time before its network forbids another try. */
interface SchemeLimit {
  declines: number
  withinMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The networks' limits. Sources: Visa, excessive reattempts rule; Mastercard, Transaction Processing Excellence. They count
 * declined attempts with one card at one merchant; successes are free.
 */
const limits: Readonly<Record<string, readonly SchemeLimit[]>> = {
  visa: [{ declines: 20, withinMs: 30 * DAY_MS }],
  mastercard: [
    { declines: 10, withinMs: DAY_MS },
    { declines: 35, withinMs: 30 * DAY_MS },
  ],
}

/** What has to be known of a card's declines, to tell whether it may be tried again; `null` where its network has no limit. */
export function schemeWindow(brand: string): { declines: number; withinMs: number } | null {
  const own = limits[brand]
  if (own === undefined) return null
  return {
    declines: Math.max(...own.map(({ declines }) => declines)),
    withinMs: Math.max(...own.map(({ withinMs }) => withinMs)),
  }
}

/**
 * Whether a card was declined as often as its network allows, so that it must not be tried now.
 *
 * @param declinedAtMs When it was declined: as many of the latest as `schemeWindow` asks for.
 */
export function isOverSchemeLimit(brand: string, declinedAtMs: readonly number[], nowMs: number): boolean {
  return (limits[brand] ?? []).some(
    ({ declines, withinMs }) => declinedAtMs.filter((at) => at > nowMs - withinMs).length >= declines,
  )
}
