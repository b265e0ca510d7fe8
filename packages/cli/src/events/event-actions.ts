import type { Client } from '@tillwright/client'
import { type EventType, eventTypes } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
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
  const properties = setProperties(options.set ?? [])
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

interface Tree {
  [name: string]: unknown
}

/**
 * Parses `['amount=5', 'card.last4="4242"']` into an object. A value that is valid JSON is parsed, anything else is
 * text; dots separate nested keys.
 *
 * @throws {CommandFailed} For an argument that is not `path=value`, and for contradicting ones.
 */
export function setProperties(assignments: readonly string[]): Record<string, unknown> {
  const root: Tree = Object.create(null)
  for (const assignment of assignments) {
    const at = assignment.indexOf('=')
    const path = assignment.slice(0, Math.max(0, at)).split('.')
    if (path.includes(''))
      throw refused(assignment, 'must be path=value, such as amount=4200 or customer.email=ada@example.com')
    place(root, path, assignment)
  }
  return root
}

function place(root: Tree, path: readonly string[], assignment: string): void {
  const name = path.at(-1) ?? ''
  let tree = root
  for (const step of path.slice(0, -1)) {
    const next = (tree[step] ??= Object.create(null))
    if (!isObject(next)) throw refused(assignment, `"${step}" already has a value`)
    tree = next
  }
  if (name in tree) throw refused(assignment, 'already has a value')
  tree[name] = valueOf(assignment.slice(assignment.indexOf('=') + 1))
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function refused(assignment: string, problem: string): CommandFailed {
  return new CommandFailed(`--set ${assignment}: ${problem}.`, 'usage')
}
