import hmacModule from '@adyen/api-library/lib/src/utils/hmacValidator.js'
import type { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/models.js'
import { z } from 'zod'
import type { ProcessorEvent, ProcessorReport, ReportedDispute } from '../processor-driver.ts'
import { eventIn, isAskedHere, respondBy } from '../processor-events.ts'
import { minorAmount } from './amounts.ts'
import { defaultExport } from './client.ts'
import { outcomeOf, UNDONE } from './modifications.ts'
import {
  keepNotification,
  type KeptNotification,
  type NotificationItem,
  notificationItem,
  notificationsAbout,
  notificationsOf,
  notificationsOfPayment,
  type Place,
} from './notifications.ts'

/** A notification in JSON has one item. Source: Adyen, "Webhook structure and types". */
const notification = z.object({
  notificationItems: z.tuple([z.object({ NotificationRequestItem: z.record(z.string(), z.unknown()) })]),
})

const validator = new (defaultExport(hmacModule))()

/** The processor, key and merchant account that a notification must match. */
export interface Reading {
  place: Place
  hmacKey: string
  merchantAccount: string
}

/** The notification that was signed with a key, or `null` when it was not. */
export function readAdyenEvent(body: Buffer, { place, hmacKey, merchantAccount }: Reading): ProcessorEvent | null {
  const sent = eventIn(body, notification)?.notificationItems[0].NotificationRequestItem
  const item = notificationItem.safeParse(sent)
  if (!item.success || !isSigned(sent, hmacKey)) return null
  const { pspReference, eventCode, merchantAccountCode } = item.data
  return {
    id: `${pspReference} ${eventCode}`,
    type: eventCode,
    report: async () => (merchantAccountCode === merchantAccount ? reportOf(item.data, place) : null),
  }
}

function isSigned(item: unknown, hmacKey: string): boolean {
  try {
    // Its fields were checked with `notificationItem`; the validator reads no others.
    return validator.validateHMAC(item as NotificationRequestItem, hmacKey)
  } catch {
    return false // there is no signature
  }
}

/** Keeps what was told, and says what it is about. */
async function reportOf(item: NotificationItem, place: Place): Promise<ProcessorReport | null> {
  const { eventCode, merchantReference, pspReference } = item
  if (ATTEMPTS.has(eventCode)) {
    await keepNotification(item, place)
    return { about: 'attempt', attemptId: merchantReference.replace(/-cancel$/, '') }
  }
  if (MODIFICATIONS.has(eventCode)) {
    if (UNDONE.has(eventCode) && TRIED_AGAIN.test(item.reason)) return null
    await keepNotification(item, place)
    if (!isAskedHere(merchantReference)) return reportOfOthers(item, place)
    const outcome = outcomeOf(await notificationsOf(pspReference, place))
    return outcome && { about: 'post_authorization', id: merchantReference, outcome }
  }
  return DISPUTES.has(eventCode) ? disputeReport(item, place) : null
}

/** What nobody has asked for here: it was done in Adyen's Customer Area, or came with the authorisation. */
async function reportOfOthers(item: NotificationItem, place: Place): Promise<ProcessorReport | null> {
  const { eventCode, merchantReference, originalReference } = item
  const told = await notificationsOfPayment(originalReference, place)
  const attemptId = told.find(({ event }) => event === 'AUTHORISATION')?.about ?? merchantReference
  switch (eventCode) {
    case 'CAPTURE_FAILED':
      // What is taken with the authorisation goes by the reference of that.
      return { about: 'reversed_capture', attemptId: merchantReference }
    case 'CAPTURE':
    case 'CANCELLATION':
      return { about: 'attempt', attemptId }
    default:
      return refundsReport(told, attemptId)
  }
}

const ATTEMPTS: ReadonlySet<string> = new Set(['AUTHORISATION', 'TECHNICAL_CANCEL', 'OFFER_CLOSED', 'EXPIRE'])

const MODIFICATIONS: ReadonlySet<string> = new Set([
  'CAPTURE',
  'CAPTURE_FAILED',
  'REFUND',
  'REFUND_FAILED',
  'REFUNDED_REVERSED',
  'CANCELLATION',
])

/**
 * The reason of a failure after which Adyen captures or refunds again by itself, for up to ten days: what was told as done
 * will be. Source: Adyen, "CAPTURE_FAILED and REFUND_FAILED reasons", technical issue.
 */
const TRIED_AGAIN = /technical issue/i

/** All refunds of a payment: one of them was made in Adyen's Customer Area. */
function refundsReport(told: readonly KeptNotification[], attemptId: string): ProcessorReport {
  const undone = new Set(told.filter(({ event }) => UNDONE.has(event)).map(({ reference }) => reference))
  const made = told.filter((each) => each.event === 'REFUND' && each.succeeded && !undone.has(each.reference))
  const refunds = made.map(({ reference, told: { amount } }) => ({ reference, amount: minorAmount(amount) }))
  return { about: 'refunds', refunds: { attemptId, refunds, reversed: [...undone] } }
}

/**
 * How far a dispute is after each event, the last stage first: what was won or lost may be decided anew at the next one.
 * Source: Adyen, "Dispute webhooks".
 */
const STAGES: readonly (readonly [event: string, status: ReportedDispute['status']])[] = [
  ['SCHEME_ARBITRATION_LOST', 'lost'],
  ['SCHEME_ARBITRATION_WON', 'won'],
  ['PREARBITRATION_LOST', 'lost'],
  ['PREARBITRATION_WON', 'won'],
  ['SECOND_CHARGEBACK', 'lost'],
  ['DISPUTE_DEFENSE_PERIOD_ENDED', 'lost'],
  ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'won'],
  ['CHARGEBACK_REVERSED', 'won'],
  ['CHARGEBACK', 'open'],
  ['DISPUTE_OPENED_WITH_CHARGEBACK', 'open'],
  ['NOTIFICATION_OF_CHARGEBACK', 'open'],
  ['REQUEST_FOR_INFORMATION', 'open'],
]
const DISPUTES: ReadonlySet<string> = new Set(STAGES.map(([event]) => event))
/** A question of the bank, which takes no money, and its end, which a chargeback has as well. */
const INQUIRIES: ReadonlySet<string> = new Set(['REQUEST_FOR_INFORMATION', 'DISPUTE_DEFENSE_PERIOD_ENDED'])

/**
 * The dispute that an event is about, with what all of its events have told so far: they may come in any order. It is
 * of the attempt that the payment's reference names, which Adyen repeats in each.
 */
async function disputeReport(item: NotificationItem, place: Place): Promise<ProcessorReport> {
  await keepNotification(item, place)
  const told = (await notificationsAbout(item.merchantReference, place)).filter(({ event }) => DISPUTES.has(event))
  const reference = referenceOf(item, told)
  const events = new Set(
    told.filter((each) => each.reference === reference || isUnnamed(each)).map(({ event }) => event),
  )
  const isInquiry = [...events].every((event) => INQUIRIES.has(event))
  const status = isInquiry ? 'open' : (STAGES.find(([event]) => events.has(event))?.[1] ?? 'open')
  return {
    about: 'dispute',
    dispute: {
      reference,
      attemptId: item.merchantReference,
      kind: isInquiry ? 'inquiry' : 'chargeback',
      status: status === 'open' && !isInquiry && isLost(item) ? 'lost' : status,
      reason: item.reason === '' ? 'general' : item.reason,
      amount: minorAmount(item.amount),
      currency: item.amount.currency,
      respondBy: respondBy(item.additionalData['defensePeriodEndsAt']),
    },
  }
}

/**
 * Adyen's reference of a dispute. Decisions come with the payment's own, and name no other, unless the webhook is set to
 * "Include the originalReference for CHARGEBACK_REVERSED events".
 */
function referenceOf({ pspReference, originalReference }: NotificationItem, told: readonly KeptNotification[]): string {
  const opened = originalReference === '' ? told.find((each) => !isUnnamed(each)) : undefined
  return opened?.reference ?? pspReference
}

function isUnnamed({ reference, payment_reference: payment }: KeptNotification): boolean {
  return reference === payment
}

/** Adyen says in a detail when the merchant has given up, or the bank has decided. What has `Expired` is an inquiry. */
function isLost({ additionalData: { disputeStatus } }: NotificationItem): boolean {
  return disputeStatus === 'Lost' || disputeStatus === 'Accepted'
}
