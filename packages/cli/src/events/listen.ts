import { setTimeout as delay } from 'node:timers/promises'
import type { Event } from '@tillwright/contract'
import pc from 'picocolors'
import { connect } from '../target/connect.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { interruption } from '../terminal/interaction.ts'
import { followEvents } from './follow-events.ts'
import { forward, forwardingSecret, type Receipt, type Receiver } from './forward.ts'
import { eventLine } from './show-events.ts'

/** What is listened for, where it goes, and how it is printed. */
export interface ListenOptions extends TargetOptions {
  forwardTo?: string
  types?: string
  json?: boolean
}

/** An event with what its receiver said of it; `null` where none was named. */
export interface Heard {
  event: Event
  receipt: Receipt | null
}

/**
 * Prints every event from now on, a line each, and forwards it, one after the other, until somebody presses Ctrl-C.
 *
 * @throws The interruption; what no waiting mends.
 */
export async function listen(options: ListenOptions): Promise<never> {
  const signal = interruption()
  const { client, target, key } = await connect(options)
  const { forwardTo: url, types, json } = options
  const secret = url === undefined ? null : await forwardingSecret(key.accountId)
  const receiver: Receiver | null =
    url === undefined || secret === null ? null : { url, secret, environment: target.name }
  tell(receiver === null ? 'Listening; Ctrl-C ends it.' : `Forwarding to ${url}; Ctrl-C ends it.\nSecret: ${secret}`)
  const waiting = { signal, sleep: (ms: number) => delay(ms, undefined, { signal }) }
  const events = followEvents(client.eventLog, {
    ...waiting,
    outage: tellOf('The platform', target.apiUrl),
    now: () => performance.now(),
    ...(types !== undefined && { types }),
  })
  for await (const event of events) {
    const outage = tellOf('The receiver', url ?? '')
    const receipt = receiver === null ? null : await deliver(event, receiver, { ...waiting, outage })
    const heard: Heard = { event, receipt }
    process.stdout.write(json === true ? `${JSON.stringify(heard)}\n` : eventLine(heard))
  }
  throw new Error('The log of events never ends.')
}

/** Tells of what is away, and when it is back. */
function tellOf(who: string, address: string): (reason: string | null) => void {
  return (reason) =>
    tell(
      reason === null
        ? `${who} is back.`
        : pc.yellow(`${who} ${address} is away (${reason}); nothing is lost, it goes on when it is back.`),
    )
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Pauses between two tries to reach a receiver that is away; the last one from then on. */
const PAUSES_MS = [250, 500, 1_000, 2_000]

/** How an event is brought to its receiver. */
export interface Delivering {
  signal: AbortSignal
  /** Is told why the receiver cannot be reached, once until it can again; `null` when it can again. */
  outage: (reason: string | null) => void
  /** Resolves after the time; rejects when the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Sends an event to a receiver until that is there to take it. Whatever it answers, also an error, is an answer.
 *
 * @throws The reason of the signal.
 */
async function deliver(event: Event, receiver: Receiver, delivering: Delivering): Promise<Receipt> {
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
