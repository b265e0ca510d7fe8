import { hash } from 'node:crypto'
import { findContradictions } from '../find-contradictions.ts'
import { type ChargeRecord, type PaymentRecord, readRecords, type Records, type TimedRecord } from '../read-records.ts'
import { GIVE_UP_MS, type Purchase } from './buyers.ts'
import type { Site } from './site.ts'

/** Findings of a round, a sentence for each. */
export interface Verdict {
  /** Acknowledged, and not there. */
  lost: string[]
  /** Done twice: a charge, a refund, a payment. */
  doubled: string[]
  /** Without an outcome, or without one for longer than 70 s. */
  stuck: string[]
  /** Rows that contradict each other. */
  wrong: string[]
  /** How long webhooks took until all had arrived, after the last purchase. */
  webhooksMs: number
}

/** Judges purchases that are all over: what the shop was told, against what is in the database and at the processor. */
export async function judge(site: Site, purchases: readonly Purchase[]): Promise<Verdict> {
  const arrived = await untilDelivered(site)
  const records = await readRecords(site.place)
  const byKey = Map.groupBy(records.payments, ({ idempotency_key: key }) => key)
  const chargesOf = chargesByPayment(records)
  const byId = new Map(records.payments.map((payment) => [payment.id, payment]))
  const found = purchases.map((purchase) => {
    const [acknowledged, ofKey] = [byId.get(purchase.paymentId ?? ''), byKey.get(storedKey(purchase)) ?? []]
    return { purchase, payments: acknowledged === undefined ? ofKey : [...new Set([acknowledged, ...ofKey])] }
  })
  return {
    lost: found.flatMap(({ purchase, payments }) => lossesOf(purchase, payments)),
    doubled: [
      ...found.flatMap(({ purchase, payments }) => repetitionsOf(purchase, payments)),
      ...records.payments.flatMap((payment) => chargedTooMuch(payment, chargesOf.get(payment.id) ?? [])),
    ],
    stuck: [
      ...purchases.filter(({ outcome }) => outcome === null).map(({ key, problems }) => `${key}: ${problems.join()}`),
      ...records.payments.filter(({ status }) => status === 'processing').map(({ id }) => `${id} is processing`),
      ...[...records.attempts, ...records.followUps].flatMap(tookTooLong),
      ...arrived.missing.map((id) => `the event ${id} has not arrived`),
    ],
    wrong: findContradictions(records, site.before),
    webhooksMs: arrived.tookMs,
  }
}

/** The longest that an attempt, a capture or a refund may have no outcome. */
const PROCESSING_MS = 70_000

function tookTooLong({ id, created_at: from, finished_at: to }: TimedRecord): string[] {
  if (to !== null && to - from <= PROCESSING_MS) return []
  return [`${id} ${to === null ? 'has no outcome' : `had no outcome for ${to - from} ms`}`]
}

/** Stored form of a purchase's `Idempotency-Key`. */
function storedKey({ key }: Purchase): string {
  return hash('sha256', key, 'base64url')
}

async function untilDelivered({ place, before, receiver }: Site): Promise<{ missing: string[]; tookMs: number }> {
  const begun = performance.now()
  const { events } = await readRecords(place)
  const ids = events.map(({ id }) => id).filter((id) => !before.has(id))
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), GIVE_UP_MS)
  await Promise.race([
    receiver.until(ids),
    new Promise<void>((resolve) => late.signal.addEventListener('abort', () => resolve())),
  ])
  clearTimeout(timer)
  return { missing: ids.filter((id) => !receiver.received.has(id)), tookMs: performance.now() - begun }
}

function lossesOf(purchase: Purchase, [payment]: readonly PaymentRecord[]): string[] {
  const { key, kind, paymentId, captured, refunded } = purchase
  if (paymentId === null) return []
  if (payment === undefined) return [`${key}: the payment ${paymentId} was acknowledged and is not there`]
  return [
    ...(payment.id === paymentId ? [] : [`${key}: ${paymentId} was acknowledged, and ${payment.id} is there`]),
    ...(payment.captured_amount >= captured ? [] : [`${paymentId}: a ${kind} of ${captured} was acknowledged`]),
    ...(payment.refunded_amount >= refunded ? [] : [`${paymentId}: a refund of ${refunded} was acknowledged`]),
  ]
}

function repetitionsOf(purchase: Purchase, payments: readonly PaymentRecord[]): string[] {
  const [payment, ...others] = payments
  const mostRefunded = purchase.kind === 'refund' ? Math.ceil(purchase.amount / 2) : 0
  return [
    ...(others.length === 0 ? [] : [`${purchase.key} made ${payments.length} payments`]),
    ...(payment !== undefined && payment.refunded_amount > mostRefunded
      ? [`${payment.id}: ${payment.refunded_amount} was refunded instead of ${mostRefunded}`]
      : []),
  ]
}

function chargedTooMuch(payment: PaymentRecord, charges: readonly ChargeRecord[]): string[] {
  const taken = charges.reduce((sum, { captured }) => sum + captured, 0)
  const returned = charges.reduce((sum, { refunded }) => sum + refunded, 0)
  return [
    ...(taken > payment.captured_amount && payment.status !== 'processing'
      ? [`${payment.id} (${payment.status}): the processor took ${taken} instead of ${payment.captured_amount}`]
      : []),
    ...(returned > payment.refunded_amount
      ? [`${payment.id}: the processor returned ${returned} instead of ${payment.refunded_amount}`]
      : []),
  ]
}

function chargesByPayment({ attempts, charges }: Records): Map<string, ChargeRecord[]> {
  const paymentOf = new Map(attempts.map(({ id, payment_id: paymentId }) => [id, paymentId]))
  return Map.groupBy(charges, ({ attempt_id: id }) => paymentOf.get(id) ?? '')
}
