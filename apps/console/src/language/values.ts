import { currencyFormat, decimalsOf, inMajorUnits } from '@tillwright/contract/decimals'
import { language, locale } from './language.ts'

/**
 * Writes an amount for people: 1999 USD is `$19.99`, and 1999 CAD `CA$19.99`, since an account may have both.
 *
 * @param amount In minor units.
 */
export function money(amount: number, currency: string): string {
  const parts = moneyFormat(currency).formatToParts(amount / 10 ** decimalsOf(currency))
  return parts.map(({ type, value }) => (type === 'currency' && isRightToLeft ? isolated(value) : value)).join('')
}

const isRightToLeft = language === 'ar'

/** Text that keeps its own direction: `US$` would lose its sign to the other end of a line that reads from the right. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

const moneyFormats = new Map<string, Intl.NumberFormat>()

function moneyFormat(currency: string): Intl.NumberFormat {
  const known = moneyFormats.get(currency)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(locale, currencyFormat(currency))
  moneyFormats.set(currency, made)
  return made
}

/** An amount as a field of a form has it: `19.99`. */
export function decimal(amount: number, currency: string): string {
  return inMajorUnits(amount, currency)
}

/**
 * Parses an amount, with a point or a comma before its decimals.
 *
 * @returns Minor units; `null` for what is no amount of the currency.
 */
export function minorUnits(typed: string, currency: string): number | null {
  const match = /^\s*(\d{1,12})(?:[.,](\d+))?\s*$/.exec(typed)
  const digits = decimalsOf(currency)
  const [, whole = '', fraction = ''] = match ?? []
  if (match === null || fraction.length > digits) return null
  return Number(whole + fraction.padEnd(digits, '0'))
}

const toTheMinute = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
const thisYear = new Intl.DateTimeFormat(locale, toTheMinute)
const otherYear = new Intl.DateTimeFormat(locale, { ...toTheMinute, year: 'numeric' })
const exactly = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })

/** A time in the reader's zone: `22 Nov, 14:05`, with the year where it is another. */
export function shortTime(timestamp: string): string {
  const at = new Date(timestamp)
  return (at.getFullYear() === new Date().getFullYear() ? thisYear : otherYear).format(at)
}

const hour = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })

/** The hour of the reader's day: `14:00`. */
export function hourTime(at: Date): string {
  return hour.format(at)
}

/** A time to the second, with its zone. */
export function exactTime(timestamp: string): string {
  return exactly.format(new Date(timestamp))
}

/** The reader's time zone: `Europe/Berlin`. Source: IANA, as `Intl` has it. */
export const timeZone: string = exactly.resolvedOptions().timeZone

/** A time as the browser's field for one has it: in the reader's zone, without it. */
export function localTime(timestamp: string): string {
  const at = new Date(timestamp)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** A count in the reader's language: `1,204`. */
export function count(value: number): string {
  return counts.format(value)
}

const counts = new Intl.NumberFormat(locale)
const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

/** A share of one: 0.973 is `97.3%`. */
export function percent(share: number): string {
  return shares.format(share)
}
