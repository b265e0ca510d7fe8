import type { Payment } from '@tillwright/contract'
import { paymentAttemptsTable, readPayment } from '../ledger/index.ts'
import { completeLate } from '../payments/index.ts'
import { recordClosed, recordReportedOutcome } from '../post-authorization/index.ts'
import {
  type DriverOf,
  openedProcessor,
  openWebhookSecrets,
  type ProcessorRegistry,
  type ProcessorEvent,
  processorsTable,
  refused,
  type ReportedDispute,
  type ReportedRefunds,
  type SimulatedProcessors,
  type SimulatedReversal,
  type SignedRequest,
} from '../processors/index.ts'
import type { Services } from '../request-context.ts'
import { pick, rowReader, type Statement } from '../storage/index.ts'
import { syncDispute, syncRefunds } from './sync.ts'

/** The webhook URL of a processor: its account, its id, and the name of its driver. */
export interface EventDoor {
  accountId: string
  processorId: string
  driver: string
}

/**
 * The result of receiving an event. `unknown`: no processor takes events here. `unsigned`: its secret has not signed
 * this. `later`: it came too early, or the processor could not be asked; it is worth sending again.
 */
export type ReceivedEvent = 'taken' | 'unknown' | 'unsigned' | 'later'

/**
 * Receives a processor's event. It is taken as a hint: the processor is asked how things stand, so that events may come
 * twice, late and in any order.
 */
export async function receiveEvent(
  sent: SignedRequest,
  door: EventDoor,
  { services, registry, driverOf }: { services: Services; registry: ProcessorRegistry; driverOf: DriverOf },
): Promise<ReceivedEvent> {
  const driver = registry.find(door.driver)
  if (driver?.events === undefined) return 'unknown'
  const { accountId, processorId } = door
  const [row] = readDoors(await services.db.read(selectDoor, [accountId, processorId, driver.name]))
  if (row === undefined) return 'unknown'
  const opened = openedProcessor(row, { processorId, accountId, driver, services })
  let event: ProcessorEvent | null = null
  for (const eventSecret of openWebhookSecrets(row.sealed_webhook_secret ?? [], processorId, services)) {
    event = await driver.events.read(sent, { ...opened, eventSecret })
    if (event !== null) break
  }
  if (event === null) return 'unsigned'
  const { id: eventId, type: eventType } = event
  try {
    return (await act(event, door, { services, driverOf })) ? 'taken' : 'later'
  } catch (error) {
    services.log.warn({ err: error, processorId, eventId, eventType }, 'an event of a processor could not be acted on')
    return 'later'
  }
}

const selectDoor = `SELECT config, sealed_secret, sealed_webhook_secret FROM processors
  WHERE account_id = ? AND id = ? AND driver = ? AND sealed_webhook_secret IS NOT NULL`
const readDoors = rowReader(pick(processorsTable, 'config', 'sealed_secret', 'sealed_webhook_secret'))

interface Acting {
  services: Services
  driverOf: DriverOf
}

/** @returns `false` for what is worth trying again. */
async function act(event: ProcessorEvent, door: EventDoor, { services, driverOf }: Acting): Promise<boolean> {
  const report = await event.report()
  if (report === null) return true
  switch (report.about) {
    case 'attempt':
      return noteAttempt({ ...door, attemptId: report.attemptId }, { services, driverOf })
    case 'dispute':
      return noteDispute(report.dispute, { ...door, event }, services)
    case 'refunds':
      return noteRefunds(report.refunds, { ...door, event }, services)
    case 'post_authorization':
      return recordReportedOutcome({ ...door, id: report.id }, report.outcome, services)
    case 'reversed_capture':
      return noteReversal({ ...door, attemptId: report.attemptId }, services)
  }
}

/** The money of a payment whose processor took it with the attempt has gone again. */
async function noteReversal(named: NamedAttempt, services: Services): Promise<boolean> {
  const payment = await paymentOfAttempt(named, services)
  if (payment === null) return true
  const capture = payment.captures.find(({ finalCapture, status }) => finalCapture && status === 'succeeded')
  if (capture !== undefined && isSuccess(payment, named))
    return recordReportedOutcome({ ...named, id: capture.id }, refused('reversed'), services)
  await services.db.write([hurryRecovery(named)])
  return payment.status !== 'processing' && payment.status !== 'requires_action'
}

/**
 * One whose payment is open is asked for at once; one that was authorized may be closed, and one that had ended
 * without money may have been paid late.
 */
export async function noteAttempt(named: NamedAttempt, { services, driverOf }: Acting): Promise<boolean> {
  const payment = await paymentOfAttempt(named, services)
  if (payment !== null && isUnanswered(payment, named)) return false
  if (payment?.status === 'authorized' && payment.preview === null) {
    return !isSuccess(payment, named) || recordClosed(payment, { services, driverOf })
  }
  await services.db.write([hurryRecovery(named)])
  const isEnded = payment?.status === 'declined' || payment?.status === 'failed'
  if (!isEnded || payment.amount === 0) return true
  const last = payment.attempts.at(-1)
  // One that succeeded, and has failed because its capture was reversed, has no money that could come late.
  if (last?.id !== named.attemptId || last.status === 'succeeded') return true
  return completeLate(payment, { services, driverOf })
}

function isSuccess({ attempts }: Payment, { attemptId }: NamedAttempt): boolean {
  return attempts.some(({ id, status }) => id === attemptId && status === 'succeeded')
}

/**
 * Whether the request that began the payment still waits for its processor, or records its answer. For a card that answer
 * is the outcome; for other methods it says that the buyer has to act or the bank to pay, and would be recorded over what
 * the event tells.
 */
function isUnanswered({ status, attempts, paymentMethod }: Payment, { attemptId }: NamedAttempt): boolean {
  const attempt = attempts.at(-1)
  const isItsLast = attempt?.id === attemptId && attempt.status === 'processing' && attempt.outcome === null
  return isItsLast && status === 'processing' && paymentMethod.type !== 'card'
}

/** How many news of simulated processors are heard at a time. */
const HEARD_AT_ONCE = 100

/** Hears what simulated processors have to tell, as an event of a real one would tell it. */
export async function hearSimulated(
  simulator: Pick<SimulatedProcessors, 'findMoved' | 'reportedOrder' | 'findReversals' | 'reportedReversal'>,
  acting: Acting,
): Promise<void> {
  const { services } = acting
  const { db, clock } = services
  const nowMs = clock.now()
  const ownerOf = async ({ attemptId, processorId }: { attemptId: string; processorId: string }) =>
    readOwners(await db.read(selectOwner, [attemptId, processorId]))[0]?.account_id
  for (const moved of await simulator.findMoved(db, { nowMs, limit: HEARD_AT_ONCE })) {
    const accountId = await ownerOf(moved)
    const isHeard = accountId === undefined || (await noteAttempt({ ...moved, accountId }, acting))
    if (isHeard) await db.write([simulator.reportedOrder(moved.attemptId, nowMs)])
  }
  for (const reversal of await simulator.findReversals(db, HEARD_AT_ONCE)) {
    const accountId = await ownerOf(reversal)
    const isHeard = accountId === undefined || (await noteSimulated({ ...reversal, accountId }, services))
    if (isHeard) await db.write(simulator.reportedReversal(reversal))
  }
}

function noteSimulated(
  { refundId, ...named }: SimulatedReversal & { accountId: string },
  services: Services,
): Promise<boolean> {
  if (refundId === null) return noteReversal(named, services)
  return recordReportedOutcome({ ...named, id: refundId }, refused('reversed'), services)
}

const selectOwner = `SELECT a.account_id FROM processors p
  JOIN payment_attempts a ON a.account_id = p.account_id AND a.id = ? WHERE p.id = ?`
const readOwners = rowReader(pick(paymentAttemptsTable, 'account_id'))

async function noteDispute(
  reported: ReportedDispute,
  { event, ...door }: EventDoor & { event: ProcessorEvent },
  services: Services,
): Promise<boolean> {
  const payment = await paymentOfAttempt({ ...door, attemptId: reported.attemptId }, services)
  if (payment === null) return true
  const again = async () => {
    const report = await event.report()
    return report?.about === 'dispute' ? report.dispute : null
  }
  const isThere = await syncDispute({ reported, payment, again }, services)
  const about = { paymentId: payment.id, disputeId: reported.reference }
  if (!isThere) services.log.warn(about, 'a dispute at a processor cannot be recorded yet')
  return isThere
}

async function noteRefunds(
  reported: ReportedRefunds,
  { event, ...door }: EventDoor & { event: ProcessorEvent },
  services: Services,
): Promise<boolean> {
  const payment = await paymentOfAttempt({ ...door, attemptId: reported.attemptId }, services)
  if (payment === null) return true
  const refunded = { payment, processorId: door.processorId }
  let synced = await syncRefunds(reported, refunded, services)
  // What was put on record may have been reversed before it was there, by an event that did not find it.
  const again = synced === 'recorded' ? await event.report() : null
  if (again?.about === 'refunds') synced = await syncRefunds(again.refunds, refunded, services)
  if (synced === 'later') services.log.warn({ paymentId: payment.id }, 'a refund at a processor cannot be recorded yet')
  return synced !== 'later'
}

/** An attempt as a processor names it. */
interface NamedAttempt {
  accountId: string
  processorId: string
  attemptId: string
}

/** The payment of an attempt at this very processor, or `null`: what one says of another's is nothing. */
async function paymentOfAttempt(
  { accountId, processorId, attemptId }: NamedAttempt,
  { db }: Pick<Services, 'db'>,
): Promise<Payment | null> {
  const sql = 'SELECT payment_id FROM payment_attempts WHERE account_id = ? AND id = ? AND processor_id = ?'
  const [row] = readAttempts(await db.read(sql, [accountId, attemptId, processorId]))
  return row === undefined ? null : readPayment(row.payment_id, accountId, db)
}

const readAttempts = rowReader(pick(paymentAttemptsTable, 'payment_id'))

/**
 * The statement that has recovery ask at once about a payment whose outcome is not known. The event's word is not taken
 * for the outcome: the processor is asked. A payment that a process is at work on stays as it is.
 */
function hurryRecovery({ accountId, processorId, attemptId }: NamedAttempt): Statement {
  return {
    sql: `UPDATE payments SET lease_until = 0 WHERE account_id = ? AND status IN ('processing', 'requires_action')
      AND id = (SELECT payment_id FROM payment_attempts
        WHERE account_id = ? AND id = ? AND processor_id = ? AND status = 'processing'
          AND outcome IN ('unknown', 'redirect', 'pending'))`,
    params: [accountId, accountId, attemptId, processorId],
  }
}
