import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@tillwright/client'
import type { Binding } from '../binding/bind-plugin.ts'
import type { Inspection } from './inspection.ts'
import { sessionReader, type SessionReader } from './inspect-session.ts'

/** How often a session is read while somebody looks at it; rarer on a platform whose requests are counted. */
const EVERY_MS = { local: 1_000, development: 4_000 } as const

/** Whoever looks at the session: a page whose tools are open. */
export interface Onlooker {
  send: (name: 'tillwright:inspected', inspection: Inspection) => void
}

/** Shows pages what the platform has on record of their session, for as long as one of them looks. */
export interface Inspector {
  /** Tells an onlooker from now on; one that is told already is told anew, at once. */
  watch: (onlooker: Onlooker, paymentId: string | null) => void
  leave: (onlooker: Onlooker) => void
  stop: () => void
}

/** @param binding What pages are bound to at the moment; `null` before there is anything. */
export function inspector(binding: () => Binding | null): Inspector {
  const onlookers = new Map<Onlooker, string>()
  const paymentIds = new Set<string>()
  const stopping = new AbortController()
  let isLooking = false
  let wanted = Promise.withResolvers<void>()
  let reading: { sessionId: string; reader: SessionReader } | null = null

  function readerFor({ platform, preview: { sessionId } }: Binding): SessionReader {
    if (reading?.sessionId !== sessionId) {
      const client = createClient({ apiKey: platform.apiKey, baseUrl: platform.apiUrl, maxRetries: 0 })
      paymentIds.clear() // they were another session's
      reading = { sessionId, reader: sessionReader(sessionId, client) }
    }
    return reading.reader
  }

  function tell(inspection: Inspection): void {
    const text = JSON.stringify(inspection)
    for (const [onlooker, told] of onlookers) {
      if (told === text) continue
      onlookers.set(onlooker, text)
      onlooker.send('tillwright:inspected', inspection)
    }
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    while (onlookers.size > 0 && !stopping.signal.aborted) {
      const bound = binding()
      // A platform that is away is told of elsewhere; it is read again when it is back.
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
