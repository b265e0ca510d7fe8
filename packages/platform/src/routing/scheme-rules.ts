import type { DeclineCode, Payment, RoutingStop } from '@tillwright/contract'

/**
 * Limits of card networks on attempts after a decline. Sources: Visa, Core Rules, "Authorization Reattempts" (table
 * 7-2:
 * categories of response codes; 20 reattempts in 30 days); Mastercard, Transaction Processing Excellence and "Merchant
 * Advice Codes". They apply to every new attempt: a buyer who pays again, a renewal, the next processor of a cascade.
 */

/** A decline of a card in the past, at whichever processor. */
export interface CardDecline {
  paymentId: string
  atMs: number
  declineCode: string | null
  /** The network's advice code. */
  advice: string | null
}

/** The charge that is about to be tried. */
export interface Retry {
  /** The card's network, as the vault names it. */
  brand: string
  initiatedBy: Payment['initiatedBy']
  /** When the buyer agreed last to charges in their absence, in Unix milliseconds; `null` for never. */
  agreedMs: number | null
  nowMs: number
}

/** Why a card must not be tried now. */
export type SchemeStop = Extract<RoutingStop, 'scheme_limit' | 'retry_forbidden' | 'retry_too_early'>

/** A rule that forbids a charge, and from when on it does not, in Unix milliseconds. */
export interface Forbidden {
  stopped: SchemeStop
  untilMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How far back declines matter: the networks' longest window. */
export const SCHEME_WINDOW_MS = 30 * DAY_MS

/**
 * The answers by which an issuer says that it will never approve the card. Source: Visa, category 1; the codes of other
 * networks for the same.
 */
const NEVER: ReadonlySet<string> = new Set<DeclineCode>([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'closed_account',
  'do_not_try_again',
])

/**
 * Answers that forbid any charge until the buyer acts, such as a revoked agreement or a disabled kind of payment. The
 * buyer, if present, may try again.
 */
const NEVER_UNASKED: ReadonlySet<string> = new Set<DeclineCode>([
  'authorization_revoked',
  'transaction_not_allowed',
  'invalid_number',
])

/** 03: do not try again. 21: the recurring payment was cancelled. */
const NEVER_BY_ADVICE = '03'
const CANCELLED_BY_ADVICE = '21'

/** How long Mastercard's advice codes ask to wait. */
const waits: Readonly<Record<string, number>> = {
  '24': HOUR_MS,
  '25': DAY_MS,
  '26': 2 * DAY_MS,
  '27': 4 * DAY_MS,
  '28': 6 * DAY_MS,
  '29': 8 * DAY_MS,
  '30': 10 * DAY_MS,
}

/** How long a network's advice asks to wait before the card is tried again, in milliseconds; 0 where it does not. */
export function waitOfAdvice(advice: string | null): number {
  return (advice === null ? undefined : waits[advice]) ?? 0
}

/** How often one card may be declined within a time before its network forbids another try. */
interface SchemeLimit {
  declines: number
  withinMs: number
}

/** Successes are free. Visa allowed 15 until May 2025. */
const limits: Readonly<Record<string, readonly SchemeLimit[]>> = {
  visa: [{ declines: 20, withinMs: SCHEME_WINDOW_MS }],
  mastercard: [
    { declines: 10, withinMs: DAY_MS },
    { declines: 35, withinMs: SCHEME_WINDOW_MS },
  ],
}

/** How many payments' declines decide at most, whatever the network. */
export const DECLINES_MAX = Math.max(...Object.values(limits).flatMap((own) => own.map(({ declines }) => declines)))

/**
 * The rule that forbids a charge longest; `null` where none does.
 *
 * @param declines Of the last 30 days, in any order: those of at least the `DECLINES_MAX` latest payments. "Authenticate the
 *   buyer first" is no decline that a network counts: the payment goes on, and mostly succeeds.
 */
export function schemeStop(declines: readonly CardDecline[], retry: Retry): Forbidden | null {
  const recent = declines.filter(
    ({ atMs, declineCode }) => atMs > retry.nowMs - SCHEME_WINDOW_MS && declineCode !== 'authentication_required',
  )
  const forbidden = recent.filter((decline) => isNever(decline, retry)).map(({ atMs }) => atMs + SCHEME_WINDOW_MS)
  const waiting = recent.map(({ atMs, advice }) => atMs + waitOfAdvice(advice))
  const limited = limitedUntil(recent, retry.brand)
  return (
    longest('retry_forbidden', forbidden, retry.nowMs) ??
    longest('scheme_limit', limited, retry.nowMs) ??
    longest('retry_too_early', waiting, retry.nowMs)
  )
}

function longest(stopped: SchemeStop, untils: readonly number[], nowMs: number): Forbidden | null {
  const untilMs = Math.max(...untils)
  return untils.length > 0 && untilMs > nowMs ? { stopped, untilMs } : null
}

function isNever({ atMs, declineCode, advice }: CardDecline, { initiatedBy, agreedMs }: Retry): boolean {
  if (advice === NEVER_BY_ADVICE || (declineCode !== null && NEVER.has(declineCode))) return true
  const isUnasked = advice === CANCELLED_BY_ADVICE || (declineCode !== null && NEVER_UNASKED.has(declineCode))
  const isAgreedSince = agreedMs !== null && agreedMs > atMs
  return isUnasked && initiatedBy === 'merchant' && !isAgreedSince
}

/**
 * When each limit that is reached lets the next try pass: as the oldest decline that fills it leaves its window. A payment
 * counts once, because no processor is asked twice for it and networks count at each acquirer.
 */
function limitedUntil(declines: readonly CardDecline[], brand: string): number[] {
  const latest = new Map<string, number>()
  for (const { paymentId, atMs } of declines) latest.set(paymentId, Math.max(atMs, latest.get(paymentId) ?? 0))
  const newestFirst = [...latest.values()].toSorted((a, b) => b - a)
  return (limits[brand] ?? []).flatMap(({ declines: most, withinMs }) => {
    const filling = newestFirst[most - 1]
    return filling === undefined ? [] : [filling + withinMs]
  })
}
