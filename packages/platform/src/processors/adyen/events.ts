import hmacModule from '@adyen/api-library/lib/src/utils/hmacValidator.js'
import type { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/models.js'
import { z } from 'zod'
import type { ProcessorEvent, ProcessorReport, ReportedDispute } from '../processor-driver.ts'
import { eventIn, respondBy } from '../processor-events.ts'
import { minorAmount } from './amounts.ts'
import { defaultExport } from './client.ts'
import { outcomeOf } from './modifications.ts'
import {
  keepNotification,
  type NotificationItem,
  notificationItem,
  notificationsOf,
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
    await keepNotification(item, place)
    const outcome = outcomeOf(await notificationsOf(pspReference, place))
    return outcome && { about: 'post_authorization', id: merchantReference, outcome }
  }
  return Object.hasOwn(disputeStatuses, eventCode) ? disputeReport(item, place) : null
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

/** How far a dispute is after each event. Source: Adyen, "Dispute webhooks". */
const disputeStatuses: Readonly<Record<string, ReportedDispute['status']>> = {
  REQUEST_FOR_INFORMATION: 'open',
  NOTIFICATION_OF_CHARGEBACK: 'open',
  CHARGEBACK: 'open',
  CHARGEBACK_REVERSED: 'won',
  PREARBITRATION_WON: 'won',
  PREARBITRATION_LOST: 'lost',
  SECOND_CHARGEBACK: 'lost',
}

/**
 * The dispute that an event is about, with what all of its events have told so far: they may come in any order. It is
 * of the attempt that the payment's reference names, which Adyen repeats in each.
 */
async function disputeReport(item: NotificationItem, place: Place): Promise<ProcessorReport> {
  await keepNotification(item, place)
  const events = await notificationsOf(item.pspReference, place)
  const statuses = events.map(({ event }) => (Object.hasOwn(disputeStatuses, event) ? disputeStatuses[event] : null))
  const status = (['lost', 'won'] as const).find((end) => statuses.includes(end)) ?? 'open'
  const isInquiry = events.every(({ event }) => event === 'REQUEST_FOR_INFORMATION')
  return {
    about: 'dispute',
    dispute: {
      reference: item.pspReference,
      attemptId: item.merchantReference,
      kind: isInquiry ? 'inquiry' : 'chargeback',
      status: status === 'open' && isLost(item) ? 'lost' : status,
      reason: item.reason === '' ? 'general' : item.reason,
      amount: minorAmount(item.amount),
      respondBy: respondBy(item.additionalData['defensePeriodEndsAt']),
    },
  }
}

/** Adyen says in a detail when the merchant has given up, or the bank has decided. */
function isLost({ additionalData: { disputeStatus } }: NotificationItem): boolean {
  return disputeStatus === 'Lost' || disputeStatus === 'Accepted' || disputeStatus === 'Expired'
}
