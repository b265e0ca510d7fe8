import { z } from 'zod'
import type { Services } from '../../request-context.ts'
import { defineTable, flag, int, json, type RowOf, rowReader, text } from '../../storage/index.ts'

/** An item of a notification of Adyen's. Source: Adyen, "Standard webhooks", `NotificationRequestItem`. */
export const notificationItem = z.object({
  additionalData: z.record(z.string(), z.string().optional()).default({}),
  amount: z.object({ value: z.int(), currency: z.string().default('') }).default({ value: 0, currency: '' }),
  eventCode: z.string(),
  eventDate: z.string().default(''),
  merchantAccountCode: z.string(),
  merchantReference: z.string().default(''),
  originalReference: z.string().default(''),
  pspReference: z.string(),
  reason: z.string().default(''),
  success: z.enum(['true', 'false']),
})
export type NotificationItem = z.output<typeof notificationItem>

/** The parts of a notification that are stored. */
export interface NotificationContent {
  reason: string
  amount: { value: number; currency: string }
  /** The fields of `additionalData` that outcomes are read from: `KEPT_DETAILS`. */
  details: Readonly<Record<string, string>>
}

export const processorNotificationsTable = defineTable('processor_notifications', {
  account_id: text,
  processor_id: text,
  /** Adyen's, of the request that it is about. */
  reference: text,
  event: text,
  succeeded: flag,
  /** Our reference of that request: the id of an attempt, a capture, a refund or a void. */
  about: text,
  /** Adyen's, of the payment; the same as `reference` for an authorisation. */
  payment_reference: text,
  told: json<NotificationContent>(),
  received_at: int,
})

/** An account's processor. Only its own notifications are read. */
export interface Place {
  accountId: string
  processorId: string
  services: Pick<Services, 'db' | 'clock'>
}

/** None of them is about a person: the date and the digits of a card that was renewed come with its next payment. */
const KEPT_DETAILS = [
  'networkTxReference',
  'cvcResult',
  'avsResult',
  'scaExemptionRequested',
  'refusalReasonRaw',
  'merchantAdviceCode',
  'realtimeAccountUpdaterStatus',
]

/** Stores a notification, because Adyen cannot be asked for it again. Repetitions are stored once. */
export async function keepNotification(item: NotificationItem, { accountId, processorId, services }: Place) {
  const kept = Object.entries(item.additionalData).filter(([name]) => KEPT_DETAILS.includes(name))
  const told: NotificationContent = {
    reason: item.reason,
    amount: item.amount,
    details: Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  }
  await services.db.write([
    {
      sql: `INSERT INTO processor_notifications (account_id, processor_id, reference, event, succeeded, about,
          payment_reference, told, received_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      params: [
        accountId,
        processorId,
        item.pspReference,
        item.eventCode,
        item.success === 'true' ? 1 : 0,
        item.merchantReference,
        item.originalReference === '' ? item.pspReference : item.originalReference,
        JSON.stringify(told),
        services.clock.now(),
      ],
    },
  ])
}

export type KeptNotification = RowOf<typeof processorNotificationsTable>

/** The notifications about a request, by our id of it: an attempt, a capture, a refund or a void. */
export function notificationsAbout(about: string, place: Place): Promise<KeptNotification[]> {
  return readWhere('about', about, place)
}

/** The notifications about a request, by Adyen's reference of it. */
export function notificationsOf(reference: string, place: Place): Promise<KeptNotification[]> {
  return readWhere('reference', reference, place)
}

/** The notifications about a payment and its captures, refunds and voids, by Adyen's reference of the payment. */
export function notificationsOfPayment(reference: string, place: Place): Promise<KeptNotification[]> {
  return readWhere('payment_reference', reference, place)
}

async function readWhere(
  column: 'about' | 'reference' | 'payment_reference',
  value: string,
  { accountId, processorId, services }: Place,
): Promise<KeptNotification[]> {
  const sql = `SELECT * FROM processor_notifications WHERE account_id = ? AND processor_id = ? AND ${column} = ?`
  return readKept(await services.db.read(sql, [accountId, processorId, value]))
}

const readKept = rowReader(processorNotificationsTable)
