import type { Contract, ResponseOf } from '@tillwright/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiFailure, request } from './client.ts'
import { askWhoIsHere, changed } from './query.ts'

/** Something that happened in the account. */
export type LiveEvent = ResponseOf<Contract['eventLog']['stream']>

type Listener = (event: LiveEvent) => void

/** The platform gives a sign of life every 15 seconds. */
const SILENT_MS = 45_000
/** How long to wait after a failure: twice as long each time. */
const RETRY_MS = 1_000
const RETRY_MAX_MS = 30_000
/** Events of one purchase come together: what they change is read again once. */
const GATHER_MS = 150

const listeners = new Set<Listener>()
const watchers = new Set<(isLive: boolean) => void>()
let stopping: AbortController | null = null
let isLive = true

/**
 * Follows what happens in the account while a component is shown. All components share one stream, which is resumed where
 * it broke off.
 *
 * @param onEvent Called for each event, oldest first, drafts among them.
 * @param isAllowed Whether the member may; nothing is followed otherwise.
 */
export function useLive(onEvent: Listener, isAllowed: boolean): void {
  const latest = useRef(onEvent)
  latest.current = onEvent
  useEffect(() => {
    if (!isAllowed) return
    const listener: Listener = (event) => latest.current(event)
    listeners.add(listener)
    stopping ??= follow()
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      stopping?.abort()
      stopping = null
    }
  }, [isAllowed])
}

/** Whether the data shown is up to date: `false` while the stream is interrupted. */
export function useIsLive(): boolean {
  const [seen, setSeen] = useState(isLive)
  useEffect(() => {
    watchers.add(setSeen)
    return () => void watchers.delete(setSeen)
  }, [])
  return seen
}

/** Has pages read again what an event has changed. */
export function readAgainAfter({ eventType }: Pick<LiveEvent, 'eventType'>): void {
  for (const name of affectedBy(eventType)) gathered.add(name)
  if (gathered.size === 0 || gathering !== undefined) return
  gathering = setTimeout(() => {
    const names = [...gathered]
    gathered.clear()
    gathering = undefined
    void changed(...names)
  }, GATHER_MS)
}

const gathered = new Set<string>()
let gathering: ReturnType<typeof setTimeout> | undefined

const money = ['payments.', 'eventLog.list', 'orders.', 'refunds.', 'refundRequests.', 'statistics.']

/** Operations that read the subject of an event, by prefix of the event's type. The first match counts. */
const affected: readonly (readonly [begin: string, names: readonly string[]])[] = [
  ['payment_flow', ['paymentFlows.']],
  ['payment_instrument', ['paymentInstruments.', 'customers.']],
  ['payment', money],
  ['refund_request', money],
  ['order', [...money, 'customers.']],
  ['checkout', ['orders.']],
  ['dispute', ['disputes.', ...money]],
  ['threeds', ['threeds.', 'payments.', 'eventLog.list']],
  ['subscription', ['subscriptions.', ...money]],
  ['customer', ['customers.', 'erasures.']],
  ['store', ['stores.']],
  ['product', ['products.']],
  ['promotion', ['promotions.']],
  ['processor', ['processors.', 'paymentFlows.', 'accounts.']],
  ['funnel', ['funnels.', 'funnelSessions.']],
  ['plugin', ['pluginManagement.', 'plugins.']],
  ['domain', ['pluginManagement.']],
  ['shipping', ['shippingOptions.']],
  ['hook', ['hooks.']],
  ['api_key', ['apiKeys.']],
  ['webhook_endpoint', ['webhookEndpoints.', 'accounts.']],
  ['member', ['members.', 'me.']],
  ['account', ['accounts.', 'refundLimits.']],
]

/** The beginnings of the names of the operations that read what an event of this type is about. */
function affectedBy(eventType: string): readonly string[] {
  const subject = eventType.replace(/^s_/, '')
  const names = affected.find(([begin]) => subject.startsWith(begin))?.[1] ?? []
  return [...names, 'audit.'] // The actor of each change is in the audit log.
}

/** Follows while the page is in sight: one in the background goes on from where it was when it is looked at again. */
function follow(): AbortController {
  const controller = new AbortController()
  let streaming: AbortController | null = null
  const turn = () => {
    if (document.visibilityState === 'hidden') {
      streaming?.abort()
      streaming = null
    } else if (streaming === null) {
      streaming = new AbortController()
      void listen(streaming.signal)
    }
  }
  document.addEventListener('visibilitychange', turn)
  controller.signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', turn)
    streaming?.abort()
  })
  turn()
  return controller
}

/** Where the stream is: a stream that is opened again goes on from here. */
let cursor: string | null = null

async function listen(signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      const input = { drafts: 'true', ...(cursor !== null && { after: cursor }) }
      const { body } = await request('eventLog.stream', input, { signal, accept: 'text/event-stream' })
      if (body === null) return
      for await (const message of messagesOf(body, signal)) {
        failures = 0
        tell(true)
        cursor = message.id ?? cursor
        if (message.data !== '') pass(JSON.parse(message.data) as LiveEvent) // as the contract says
      }
    } catch (error) {
      if (signal.aborted) return
      askWhoIsHere(error)
      if (error instanceof ApiFailure && !isPassing(error)) return tell(false)
    }
    // A stream that ends in order is opened again, and one that broke as well.
    if (failures > 0) tell(false)
    await pause(Math.min(RETRY_MS * 2 ** failures, RETRY_MAX_MS), signal)
    failures += 1
  }
}

function pass(event: LiveEvent): void {
  for (const listener of listeners) listener(event)
}

interface Message {
  id: string | null
  data: string
}

/**
 * The messages of a stream; one that goes silent is left. Source: HTML Living Standard, "Server-sent events", of which the
 * platform sends lines that end in a line feed and data of one line.
 */
async function* messagesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Message> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read(), signal)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) yield messageOf(block)
    }
  } finally {
    void reader.cancel().catch(() => {}) // a stream that has broken cannot be canceled
  }
}

function messageOf(block: string): Message {
  const field = (name: string) => {
    const line = block.split('\n').find((each) => each.startsWith(`${name}: `))
    return line === undefined ? null : line.slice(name.length + 2)
  }
  return { id: field('id'), data: field('data') ?? '' }
}

async function withinSilence<Result>(reading: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const waiting = new AbortController()
  const silence = pause(SILENT_MS, AbortSignal.any([signal, waiting.signal])).then(() => {
    throw new ApiFailure(0, { code: 'connection_failed' })
  })
  try {
    return await Promise.race([reading, silence])
  } finally {
    waiting.abort()
    silence.catch(() => {}) // whichever was later
  }
}

/** Whether the same request may succeed later. A session that has ended or lost the right has no later. */
function isPassing({ status }: ApiFailure): boolean {
  return status === 0 || status === 429 || status >= 500
}

function tell(to: boolean): void {
  if (to === isLive) return
  isLive = to
  for (const watch of watchers) watch(to)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
