import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient, TillwrightError } from '@tillwright/client'
import type { Event, FunnelSession, Payment } from '@tillwright/contract'
import type { Binding, DevPlatform } from './binding/index.ts'
import type { Found, InspectedAuthentication, InspectedEvent, InspectedPayment, Inspection } from './protocol.ts'
import { redacted, redactedMessage } from './redaction.ts'

/** How often a session is read while a page shows its record; less often on a platform with rate limits. */
const EVERY_MS = { local: 1_000, development: 4_000 } as const

/** A page whose toolbar is open. */
export interface InspectingPage {
  send: (name: 'tillwright:inspected', inspection: Inspection) => void
}

/** Sends the platform's record of the session to pages, as long as one is subscribed. */
export interface Inspector {
  /** Subscribes a page; one that is already subscribed gets the record again at once. */
  watch: (onlooker: InspectingPage, paymentId: string | null) => void
  leave: (onlooker: InspectingPage) => void
  stop: () => void
}

/** @param binding The store that pages are bound to now; `null` before there is one. */
export function inspector(binding: () => Binding | null): Inspector {
  const onlookers = new Map<InspectingPage, string>()
  const paymentIds = new Set<string>()
  const stopping = new AbortController()
  let isLooking = false
  let wanted = Promise.withResolvers<void>()
  let reading: { platform: DevPlatform; sessionId: string; reader: SessionReader } | null = null

  function readerFor({ platform, preview: { sessionId } }: Binding): SessionReader {
    if (reading?.platform !== platform || reading.sessionId !== sessionId) {
      const client = createClient({ apiKey: platform.apiKey, baseUrl: platform.apiUrl, maxRetries: 0 })
      if (reading?.sessionId !== sessionId) paymentIds.clear() // they were another session's
      reading = { platform, sessionId, reader: sessionReader(sessionId, client) }
    }
    return reading.reader
  }

  function tell(inspection: Inspection): void {
    const text = JSON.stringify(inspection)
    for (const [onlooker, sent] of onlookers) {
      if (sent === text) continue
      onlookers.set(onlooker, text)
      onlooker.send('tillwright:inspected', inspection)
    }
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    while (onlookers.size > 0 && !stopping.signal.aborted) {
      const bound = binding()
      // An unreachable platform is reported elsewhere; reading goes on when it is back.
      if (bound !== null)
        await readerFor(bound)
          .read([...paymentIds])
          .then(tell, () => {})
      const everyMs = EVERY_MS[bound?.platform.environment ?? 'local']
      const pause = delay(everyMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
      await Promise.race([pause, wanted.promise])
      wanted = Promise.withResolvers<void>()
    }
    isLooking = false
  }

  return {
    watch(onlooker, paymentId) {
      onlookers.set(onlooker, '')
      if (paymentId !== null) paymentIds.add(paymentId)
      wanted.resolve()
      void look()
    },
    leave: (onlooker) => void onlookers.delete(onlooker),
    stop: () => stopping.abort(),
  }
}

/** The part of the platform's client that reads what there is of a session. */
export type InspectingClient = Pick<Client, 'eventLog' | 'funnelSessions' | 'payments' | 'threeds'>

/** Reads a session again and again; what was read once and cannot change is not asked for another time. */
interface SessionReader {
  /** @param paymentIds Payments that pages know of, in addition to those in events. */
  read: (paymentIds: readonly string[]) => Promise<Inspection>
}

/** How long an authentication is still read after its end, because its last messages arrive later. */
const READ_AFTER_END_MS = 15_000

/** Reads the session with the account's key; a part that the key may not read has the reason in `missing`. */
export function sessionReader(sessionId: string, client: InspectingClient): SessionReader {
  let events: SessionEvents | null = null
  const payments = new Map<string, Payment>()
  const authentications = new Map<string, { authentication: InspectedAuthentication; endedMs: number | null }>()

  async function readEvents(): Promise<Found<InspectedEvent>> {
    return found(async () => {
      events ??= eventsOf(await client.funnelSessions.get({ sessionId }))
      await readSessionEvents(events, client)
      return [...events.known.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(toInspectedEvent)
    })
  }

  async function readPayments(named: readonly string[]): Promise<Found<InspectedPayment>> {
    const ids = new Set([...propertiesOf(events, 'paymentId'), ...named])
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
        const authentication = await readAuthentication(id, client)
        const endedMs = authentication.outcome === 'pending' ? null : (before ?? performance.now())
        authentications.set(id, { authentication, endedMs })
      }
      return [...authentications.values()].map(({ authentication }) => authentication)
    })
  }

  return {
    async read(paymentIds) {
      const inspected = { sessionId, events: await readEvents(), payments: await readPayments(paymentIds) }
      return { ...inspected, authentications: await readAuthentications() }
    },
  }
}

/** The items, or the platform's reason for refusing. Throws if the platform is unreachable. */
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

/** As many as the platform gives at once. */
const PAGE = 100
/** The most pages that are read in one go. On a platform that many use, the rest follows the next time. */
const PAGES_MAX = 10
/**
 * Concurrent requests may insert an event before one that was read already, so the events of this time are read again.
 */
const OVERLAP_MS = 60_000

/** The events of one session, as far as they were read. */
interface SessionEvents {
  session: FunnelSession
  /** By their ids, which sort by time. */
  known: Map<string, Event>
  /** The events behind this one are read next. */
  after: string
}

/** The beginning of a session's events. Ids begin with their time, in eight characters that all kinds of ids have alike. */
function eventsOf(session: FunnelSession): SessionEvents {
  const after = `evt_${session.sessionId.slice('fsn_'.length, 'fsn_'.length + 8)}`
  return { session, known: new Map(), after }
}

/**
 * Reads what has happened in a session since the last time.
 *
 * @throws {TillwrightError} Where the key may not read events: it takes the role org:admin.
 */
async function readSessionEvents(events: SessionEvents, { eventLog }: Pick<Client, 'eventLog'>): Promise<void> {
  let { after } = events
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await eventLog.list({ after, limit: PAGE, drafts: 'true' })
    for (const event of page.data) {
      if (isOfSession(event, events.session)) events.known.set(event.id, event)
      if (Date.now() - Date.parse(event.createdAt) > OVERLAP_MS) events.after = event.id
    }
    after = page.nextCursor
    if (!page.hasMore) return
  }
}

/** A preview has a customer of its own, so that whatever happens to this customer happens in the session. */
function isOfSession(event: Event, { customerId, originalCustomerId }: FunnelSession): boolean {
  return event.customerId === customerId || event.customerId === originalCustomerId
}
