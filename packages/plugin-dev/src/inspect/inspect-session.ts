import { TillwrightError, type Client } from '@tillwright/client'
import type { Event, Payment } from '@tillwright/contract'
import type { Found, InspectedAuthentication, InspectedEvent, InspectedPayment, Inspection } from './inspection.ts'
import { eventsOf, readSessionEvents, type SessionEvents } from './read-session-events.ts'
import { redactedMessage } from './redacted-message.ts'
import { redacted } from './redacted.ts'

/** The part of the platform's client that reads what there is of a session. */
export type InspectingClient = Pick<Client, 'eventLog' | 'funnelSessions' | 'payments' | 'threeds'>

/** Reads a session again and again; what was read once and cannot change is not asked for another time. */
export interface SessionReader {
  /** @param paymentIds Payments that pages know of, beside those that events tell of. */
  read: (paymentIds: readonly string[]) => Promise<Inspection>
}

/** How long an authentication that has ended is still read: its last messages come behind its end. */
const READ_AFTER_END_MS = 15_000

/** Reads the session as the account's key may; whatever it may not see is told by its reason. */
export function sessionReader(sessionId: string, client: InspectingClient): SessionReader {
  let events: SessionEvents | null = null
  const payments = new Map<string, Payment>()
  const authentications = new Map<string, { told: InspectedAuthentication; endedMs: number | null }>()

  async function readEvents(): Promise<Found<InspectedEvent>> {
    return found(async () => {
      events ??= eventsOf(await client.funnelSessions.get({ sessionId }))
      await readSessionEvents(events, client)
      return [...events.known.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(toInspectedEvent)
    })
  }

  async function readPayments(told: readonly string[]): Promise<Found<InspectedPayment>> {
    const ids = new Set([...propertiesOf(events, 'paymentId'), ...told])
    return found(async () => {
      for (const paymentId of ids) {
        const payment = await client.payments.get({ paymentId })
        if (payment.funnelSessionId === sessionId) payments.set(paymentId, payment)
      }
      return [...payments.values()].map(({ id, status, ...rest }) => ({ id, status, resource: redacted(rest) }))
    })
  }

  async function readAuthentications(): Promise<Found<InspectedAuthentication>> {
    const ofPayments = [...payments.values()].flatMap(({ threedsSessionId }) => threedsSessionId ?? [])
    const ids = new Set([...propertiesOf(events, 'sessionId').filter((id) => id !== sessionId), ...ofPayments])
    return found(async () => {
      for (const id of ids) {
        const before = authentications.get(id)?.endedMs ?? null
        if (before !== null && performance.now() - before > READ_AFTER_END_MS) continue
        const told = await readAuthentication(id, client)
        const endedMs = told.outcome === 'pending' ? null : (before ?? performance.now())
        authentications.set(id, { told, endedMs })
      }
      return [...authentications.values()].map(({ told }) => told)
    })
  }

  return {
    async read(paymentIds) {
      const inspected = { sessionId, events: await readEvents(), payments: await readPayments(paymentIds) }
      return { ...inspected, authentications: await readAuthentications() }
    },
  }
}

/** What was found, or why the platform does not tell. Where it does not answer at all, nothing is said of it. */
async function found<Item>(read: () => Promise<Item[]>): Promise<Found<Item>> {
  try {
    return { items: await read(), missing: null }
  } catch (error) {
    if (error instanceof TillwrightError && error.status !== null && error.status < 500) {
      return { items: [], missing: error.message }
    }
    throw error
  }
}

function propertiesOf(events: SessionEvents | null, name: string): string[] {
  const all = [...(events?.known.values() ?? [])]
  return all.flatMap(({ properties }) => (typeof properties[name] === 'string' ? [properties[name]] : []))
}

function toInspectedEvent({ id, eventType, createdAt, properties }: Event): InspectedEvent {
  return { id, type: eventType, at: createdAt, properties: redacted(properties) }
}

async function readAuthentication(
  sessionId: string,
  { threeds }: Pick<InspectingClient, 'threeds'>,
): Promise<InspectedAuthentication> {
  const { id, paymentId, status, outcome, transcript } = await threeds.get({ sessionId })
  const firstMs = Date.parse(transcript[0]?.at ?? '')
  const messages = transcript.map(({ position, at, type, from, to, message }) => ({
    position,
    afterMs: Date.parse(at) - firstMs,
    type,
    from,
    to,
    message: redactedMessage(message),
  }))
  return { id, paymentId, status, outcome, messages }
}
