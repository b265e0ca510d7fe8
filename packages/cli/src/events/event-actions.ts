import type { Client } from '@tillwright/client'
import { type EventType, eventTypes } from '@tillwright/contract'
import { setFields } from '../set-fields.ts'
import { connect } from '../target/connect.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { interruption } from '../terminal/interaction.ts'
import { forward, forwardingSecret, type Receipt } from './forward.ts'

type Log = Client['eventLog']

/** The result of resending an event: to an address, or to the endpoints that subscribe to it. */
export type Replayed = { eventId: string; receipt: Receipt } | Awaited<ReturnType<Log['replay']>>

/** @throws {CommandFailed} For an unknown type or unknown properties. */
export async function trigger(
  eventType: string,
  options: TargetOptions & { set?: string[] },
): ReturnType<Log['trigger']> {
  if (!isEventType(eventType)) {
    throw new CommandFailed(
      `There is no event type "${eventType}"; choose one of: ${Object.keys(eventTypes).join(', ')}.`,
      'usage',
    )
  }
  const properties = setFields(options.set ?? [], eventTypes[eventType])
  const { client } = await connect(options)
  return client.eventLog.trigger({ eventType, properties }, { signal: interruption() })
}

function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventTypes, text)
}

/** @throws {CommandFailed} `network`, if the address does not respond. */
export async function replay(id: string, options: TargetOptions & { forwardTo?: string }): Promise<Replayed> {
  const { client, target, key } = await connect(options)
  const signal = interruption()
  const { forwardTo: url } = options
  if (url === undefined) return client.eventLog.replay({ eventId: id }, { signal })
  const event = await client.events.get({ eventId: id }, { signal })
  const secret = await forwardingSecret(key.accountId)
  process.stderr.write(`Secret: ${secret}\n`)
  const receipt = await forward(event, { url, secret, environment: target.name }, signal)
  if ('away' in receipt) throw new CommandFailed(`${url} does not respond (${receipt.away}).`, 'network')
  return { eventId: id, receipt }
}

/** A page of events. */
export async function list(
  options: TargetOptions & { after?: string; limit?: number; types?: string; drafts?: true },
): ReturnType<Log['list']> {
  const { client } = await connect(options)
  const { after, limit, types, drafts } = options
  const wanted = { ...(after !== undefined && { after }), ...(limit !== undefined && { limit }) }
  const filter = { ...(types !== undefined && { types }), drafts: drafts === true ? 'true' : 'false' } as const
  return client.eventLog.list({ ...wanted, ...filter }, { signal: interruption() })
}

/** One event. */
export async function show(id: string, options: TargetOptions): ReturnType<Client['events']['get']> {
  const { client } = await connect(options)
  return client.events.get({ eventId: id }, { signal: interruption() })
}
