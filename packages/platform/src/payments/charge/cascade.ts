import type { AttemptOutcomeName, Payment, PaymentAttempt, RoutingStop, ScaDecision } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../../cluster/index.ts'
import { emitterAt } from '../../events/index.ts'
import type { AuthenticationResult, OtherMethod } from '../../processors/index.ts'
import { returnAddress } from '../record/index.ts'
import {
  type AttemptOutcome,
  type Charging,
  finishAttempt,
  insertAttempt,
  lastAttempt,
  nextAttempt,
  outcomeName,
  referenceOf,
  type Route,
  cascadeStopReason,
  withOutcome,
} from '../../routing/index.ts'
import type { Statement } from '../../storage/index.ts'
import { giveBackLowValue, isCountedLowValue, takeLowValue } from '../../threeds/index.ts'
import type { SealedCode } from '../../vault/index.ts'
import { chargeCard, type ChargedCard } from './charge-card.ts'
import { nextExemption } from './next-exemption.ts'

/** A payment whose first attempt is recorded but not sent yet. */
export interface Cascade {
  payment: Payment
  route: Route
  /** The 3-D Secure result, sent with every attempt; `null` without 3-D Secure. */
  threeds: AuthenticationResult | null
  /** The process that recorded it, which must still hold it at every later write. */
  holder: string
  /** The other method to charge; `null` for a card. */
  other: OtherMethod | null
  /** The security code that was typed for it, `null` if none was; every attempt is sent it. */
  code: SealedCode | null
}

/** How far a payment came: its last attempt with what its processor answered, which is still to be recorded. */
export interface Routed {
  payment: Payment
  outcome: AttemptOutcome
  /** Why no further processor is tried; `null` after a success, and as long as the outcome is not known. */
  stopped: RoutingStop | null
}

/**
 * Charges the card at one processor after the other, until one takes the money, none is left that may be asked, or an
 * outcome is not known. Each attempt is recorded before it is sent, in the transaction that records the outcome of the
 * one before. That transaction also keeps the payment from counting as abandoned, however long the cascade gets.
 */
export async function cascade(
  { payment, route, threeds, other, code, holder }: Cascade,
  charging: Charging,
): Promise<Routed> {
  const { cardId, consent } = route.card
  const returnUrl = payment.returnUrl === null ? null : returnAddress(payment, charging)
  const card: ChargedCard = { cardId, other, returnUrl, consent, code, threeds, buyer: route.buyer }
  for (let current = payment; ;) {
    // A fault that was asked for befalls the first processor alone, so that the next can be seen to step in.
    const fault = current === payment ? (charging.fault ?? null) : null
    const outcome = await chargeCard(current, card, { ...charging, fault })
    const step = await stepFrom({ payment: current, route, threeds, holder, code, outcome }, charging)
    if ('stopped' in step) return { payment: current, outcome, stopped: step.stopped }
    current = step.payment
  }
}

type Step = { payment: Payment } | { stopped: RoutingStop | null }

interface Answered {
  payment: Payment
  route: Route
  threeds: AuthenticationResult | null
  holder: string
  code: SealedCode | null
  outcome: AttemptOutcome
}

async function stepFrom(
  { payment, route, threeds, holder, code, outcome }: Answered,
  charging: Charging,
): Promise<Step> {
  const { attempts } = payment
  const name = outcomeName(outcome)
  // No other processor may be tried while it is not known whether the money was taken.
  if (isOpenOrPaid(name)) return { stopped: null }
  const advice = outcome.outcome === 'declined' ? outcome.advice : null
  const stopped = cascadeStopReason({ outcome: name, advice }, attempts.length, route.flow)
  if (stopped !== null) return { stopped }
  // The issuer has seen the cryptogram, and takes it once. Where the attempt never began, it has not.
  if (name === 'soft_decline' && code !== null && code.approval !== null) return { stopped: 'cryptogram_used' }
  const { db, log } = charging.services
  const emitter = emitterAt(payment.accountId, charging.services)
  const { nowMs } = emitter
  const next = await nextAttempt({ route, tried: attempts }, emitter, charging)
  if ('stopped' in next) return { stopped: next.stopped }
  const finished = withOutcome(lastAttempt(payment), outcome, nowMs)
  for (;;) {
    const sca = await nextExemption({ payment, route, threeds, next: next.attempt }, charging)
    const attempt = exempted(next.attempt, sca)
    const handing = { payment, route, holder, next: attempt, finished, reference: referenceOf(outcome) }
    const handingOver = handOver(handing, nowMs)
    const counting = lowValueWrites(handing, nowMs)
    const written = await db.write([...handingOver, ...counting])
    if (written.outcome === 'committed') {
      return { payment: { ...payment, attempts: [...attempts.slice(0, -1), finished, attempt] } }
    }
    if (written.statement < handingOver.length) break
    // The card has had as many payments of low value as it may meanwhile: this one is decided again.
  }
  // Recovery took the payment for abandoned, asked the processor and ended it: no other processor may be tried.
  log.warn({ paymentId: payment.id }, 'a payment was completed elsewhere while it was under way')
  return { stopped: 'recovered' }
}

/** After these outcomes no other processor is asked: the money is taken, or may still be. */
function isOpenOrPaid(name: AttemptOutcomeName): name is Exclude<AttemptOutcomeName, RefusedName> {
  return !REFUSED.has(name)
}

type RefusedName = Parameters<typeof cascadeStopReason>[0]['outcome']
const REFUSED: ReadonlySet<AttemptOutcomeName> = new Set<RefusedName>([
  'soft_decline',
  'hard_decline',
  'authentication_required',
  'technical_failure',
])

interface HandOver {
  payment: Payment
  route: Route
  holder: string
  finished: PaymentAttempt
  reference: string | null
  next: PaymentAttempt
}

/** The attempt with what its own processor is asked for. */
function exempted(attempt: PaymentAttempt, sca: ScaDecision | null): PaymentAttempt {
  const exemption = sca?.asked == null ? null : { asked: sca.asked, result: null }
  return { ...attempt, decision: { ...attempt.decision, sca }, exemption }
}

/** A payment is counted once, however many processors ask for the exemption of low value, and not if the last does not. */
function lowValueWrites({ payment, route, next }: HandOver, nowMs: number): Statement[] {
  const isCounted = isCountedLowValue({ ...payment, attempts: [next] })
  if (isCounted === isCountedLowValue(payment)) return []
  return isCounted
    ? takeLowValue(payment, { cardFingerprint: route.card.fingerprint, nowMs })
    : [giveBackLowValue(payment)]
}

/** The end of one attempt and the beginning of the next, in one transaction: there is never more than one under way. */
function handOver({ payment, route, holder, finished, reference, next }: HandOver, nowMs: number): Statement[] {
  const { accountId, id } = payment
  const { fingerprint: cardFingerprint } = route.card
  const ordinal = payment.attempts.length + 1
  return [
    {
      sql: `UPDATE payments SET lease_until = ?, updated_at = ?
        WHERE account_id = ? AND id = ? AND status = 'processing' AND holder = ?`,
      params: [nowMs + CLAIM_LEASE_MS, nowMs, accountId, id, holder],
      expect: 1,
    },
    finishAttempt(finished, payment, { reference, nowMs }),
    insertAttempt({ attempt: next, payment, ordinal, cardFingerprint }, nowMs),
  ]
}
