const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** The longest that can be said: ten years of days. */
const LONGEST_MS = 3_650 * UNITS_MS.d

/** A duration in milliseconds: `32d`, `2h`, `15m`, `30s`, `1w`; at most 3650 days. `null` for anything else, and for none. */
export function parseDuration(text: string): number | null {
  const [, count, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  if (count === undefined || unit === undefined) return null
  const ms = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS] // the pattern knows these alone
  return ms > 0 && ms <= LONGEST_MS ? ms : null
}
