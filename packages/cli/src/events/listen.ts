import { setTimeout as delay } from 'node:timers/promises'
import type { Event } from '@tillwright/contract'
import pc from 'picocolors'
import { connect } from '../target/connect.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { interruption } from '../terminal/interaction.ts'
import { forward, forwardingSecret, type Receipt, type Receiver } from './forward.ts'
import { eventLine } from './show-events.ts'
import { harmlessJson, print, printNotice } from '../terminal/print.ts'

/** The options of `tillwright events listen`. */
export interface ListenOptions extends TargetOptions {
  forwardTo?: string
  types?: string
  since?: string
  json?: boolean
}

/** An event with its receiver's response; `null` without a receiver. */
export interface ReceivedEvent {
  event: Event
  receipt: Receipt | null
}

/**
 * Prints every event from now on, or since then, one per line, and forwards them one after the other, until the user presses Ctrl-C.
 *
 * @throws The interruption; errors that waiting cannot fix.
 */
export async function listen(options: ListenOptions): Promise<never> {
  const signal = interruption()
  const { client, target, key } = await connect(options)
  const { forwardTo: url, types, since, json } = options
  const after = since ?? (await client.eventLog.list({ after: 'latest', limit: 1 }, { signal })).nextCursor
  const secret = url === undefined ? null : await forwardingSecret(key.accountId)
  const receiver: Receiver | null =
    url === undefined || secret === null ? null : { url, secret, environment: target.name }
  printNotice(
    receiver === null
      ? 'Listening; press Ctrl-C to stop.\n'
      : `Forwarding to ${url}; press Ctrl-C to stop.\nSecret: ${secret}\n`,
  )
  const waiting = { signal, sleep: (ms: number) => delay(ms, undefined, { signal }) }
  const platformOutage = outageNotices('The platform', target.apiUrl)
  const events = client.eventLog.stream(
    { after, drafts: 'true', ...(types !== undefined && { types }) },
    { signal, outage: (error) => platformOutage(error?.message ?? null) },
  )
  for await (const event of events) {
    const outage = outageNotices('The receiver', url ?? '')
    const receipt = receiver === null ? null : await deliver(event, receiver, { ...waiting, outage })
    const received: ReceivedEvent = { event, receipt }
    print(json === true ? `${harmlessJson(received)}\n` : eventLine(received))
  }
  throw new Error('The log of events never ends.')
}

/** Returns a function that reports an outage and its end. */
function outageNotices(who: string, address: string): (reason: string | null) => void {
  return (reason) =>
    printNotice(
      reason === null
        ? `${who} is back.\n`
        : `${pc.yellow(`${who} ${address} is unavailable (${reason}); nothing is lost, events follow when it is back.`)}\n`,
    )
}

/** Pauses between attempts to reach an unavailable receiver; the last one repeats. */
const PAUSES_MS = [250, 500, 1_000, 2_000]

/** Options for delivering an event to its receiver. */
export interface DeliveryOptions {
  signal: AbortSignal
  /** Called once with the reason when the receiver becomes unavailable, and with `null` when it is back. */
  outage: (reason: string | null) => void
  /** Resolves after the time; rejects if the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Sends an event until the receiver responds. Any response counts, including an error.
 *
 * @throws The reason of the signal.
 */
async function deliver(event: Event, receiver: Receiver, delivering: DeliveryOptions): Promise<Receipt> {
  const { signal, outage, sleep } = delivering
  for (let tries = 0; ; tries++) {
    const outcome = await forward(event, receiver, signal)
    if (!('away' in outcome)) {
      if (tries > 0) outage(null)
      return outcome
    }
    if (tries === 0) outage(outcome.away)
    await sleep(PAUSES_MS[tries] ?? PAUSES_MS.at(-1) ?? 0, signal)
  }
}
