import { setTimeout as delay } from 'node:timers/promises'
import { EVENT_STREAM_HEARTBEAT_S, EVENT_STREAMS_MAX, EVENT_STREAMS_PER_ACCOUNT } from '@tillwright/contract'
import type { Caller, MessageStream, StreamMessage } from '../../request-context.ts'
import { ApiError, type Clock } from '../../runtime/index.ts'

/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 2_000
/** How long a stream that ends may take to reach a reader who reads. */
const LAST_WORDS_MS = 1_000
/** After so many signs of life that a client has not fetched, it is cut off. */
const BEATS_MISSED_MAX = 2

/** The event streams that this process has open. */
export interface EventStreams {
  /**
   * Takes a place for a stream.
   *
   * @returns Gives the place back.
   * @throws {ApiError} `concurrency_exceeded` or `unavailable`.
   */
  enter: (accountId: string) => () => void
  open: () => number
}

/** Counts event streams: no account takes the places of all others. */
export function eventStreams(): EventStreams {
  const byAccount = new Map<string, number>()
  let open = 0
  return {
    open: () => open,
    enter(accountId) {
      const own = byAccount.get(accountId) ?? 0
      if (own >= EVENT_STREAMS_PER_ACCOUNT) {
        throw new ApiError(
          'concurrency_exceeded',
          `This account has ${EVENT_STREAMS_PER_ACCOUNT} event streams open here; close one, then try again.`,
          { headers: { 'Retry-After': String(EVENT_STREAM_HEARTBEAT_S) } },
        )
      }
      if (open >= EVENT_STREAMS_MAX) {
        throw new ApiError('unavailable', 'Too many event streams are open; try again in a moment.', {
          headers: { 'Retry-After': String(EVENT_STREAM_HEARTBEAT_S) },
        })
      }
      open += 1
      byAccount.set(accountId, own + 1)
      return () => {
        open -= 1
        const left = (byAccount.get(accountId) ?? 1) - 1
        if (left === 0) byAccount.delete(accountId)
        else byAccount.set(accountId, left)
      }
    },
  }
}

/** The surroundings of one stream. */
interface Streaming {
  clock: Clock
  /** Ends the stream. */
  stopping: AbortSignal
  /** Authenticates the caller anew. */
  again: () => Promise<Caller>
  /** Gives the stream's place back. */
  leave: () => void
  /** Cuts the connection. */
  cut: () => void
}

/** The headers of an event stream. A proxy must neither keep nor collect it. */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'X-Accel-Buffering': 'no',
} as const

/**
 * The body of an event stream: messages as they come, and every 15 seconds a sign of life, if the caller may still have
 * it. A caller whose rights have changed has to connect again, and one who does not read is cut off.
 */
export function eventStreamBody(
  messages: MessageStream,
  caller: Caller,
  { clock, stopping, again, leave, cut }: Streaming,
): ReadableStream<Uint8Array> {
  const ended = new AbortController()
  const { signal } = ended
  const following = messages.follow(signal)[Symbol.asyncIterator]()
  /** How often the client has asked for more since the last beat, and whether it waits. */
  const client = { asked: 0, isWaiting: false }

  function end(): void {
    if (signal.aborted) return
    ended.abort()
    leave()
    stopping.removeEventListener('abort', close)
  }

  /** Ends the stream; messages on their way may still arrive, at a client that reads. */
  function close(): void {
    end()
    void delay(LAST_WORDS_MS, undefined, { ref: false }).then(cut)
  }

  async function watch(): Promise<void> {
    for (let missed = 0; missed < BEATS_MISSED_MAX;) {
      await clock.until(clock.now() + EVENT_STREAM_HEARTBEAT_S * 1_000, signal)
      if (signal.aborted) return
      if (!(await isStillAllowed(caller, again))) return close()
      missed = client.isWaiting || client.asked > 0 ? 0 : missed + 1
      client.asked = 0
      messages.beat()
    }
    end()
    cut()
  }

  stopping.addEventListener('abort', close)
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoded(`retry: ${RETRY_MS}\n\n`))
        if (stopping.aborted) close()
        void watch()
      },
      async pull(controller) {
        client.asked += 1
        client.isWaiting = true
        const { done, value } = await following.next().finally(() => (client.isWaiting = false))
        if (done === true) controller.close()
        else controller.enqueue(encoded(textOf(value)))
      },
      cancel: () => {
        end()
        return following.return?.().then(() => {})
      },
    },
    { highWaterMark: 1 },
  )
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Source: HTML Living Standard, "Server-sent events". JSON has no line breaks. */
function textOf(message: StreamMessage): string {
  const id = `id: ${message.cursor}\n`
  if ('comment' in message) return `: ${message.comment}\n${id}\n`
  return `${id}event: ${message.event}\ndata: ${message.data}\n\n`
}

/** Whether the caller is still the one who was let in, with the same rights. A database that is away decides nothing. */
async function isStillAllowed(caller: Caller, again: () => Promise<Caller>): Promise<boolean> {
  try {
    return rightsOf(await again()) === rightsOf(caller)
  } catch (error) {
    return !(error instanceof ApiError) || error.status >= 500
  }
}

function rightsOf({ accountId, keyId, kind, roles, scopes, storeId, member }: Caller): string {
  return JSON.stringify([accountId, keyId, kind, roles, scopes, storeId, member?.id, member?.role, member?.storeIds])
}
