import { eventTypes, type EventProperties, type EventType, type WebhookPayload } from '@tillwright/contract'
import { TillwrightError } from './tillwright-error.ts'

/**
 * The typed properties of a webhook's event, when it is of the wanted type:
 * `eventProperties(delivery, 's_order_paid')?.orderId`.
 *
 * @returns `null` for an event of another type, and for one over 20 kB, which is delivered as its id alone: read it with
 *   `client.events.get`.
 * @throws {TillwrightError} `webhook_invalid` when the properties are not what the contract says of the type.
 */
export function eventProperties<Type extends EventType>(
  delivery: WebhookPayload,
  type: Type,
): EventProperties<Type> | null {
  if (delivery.type !== type || !('properties' in delivery.data)) return null
  const read = eventTypes[type].safeParse(delivery.data.properties)
  if (!read.success) throw new TillwrightError('webhook_invalid', `The properties of this ${type} are malformed.`)
  // `safeParse` of the type's own schema answers its output; the compiler cannot follow the index through the table.
  return read.data as EventProperties<Type>
}
