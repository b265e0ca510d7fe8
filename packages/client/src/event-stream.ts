import type { Operation } from '@tillwright/contract'
import { buildRequest, type Failure, headers, originOf, parseJson } from './request.ts'
import { readResponse, retryDelayMs, type Settings, unreachable } from './request.ts'
import { TillwrightError } from './tillwright-error.ts'

/** Options of a stream. */
export interface StreamOptions {
  /** Ends the stream at any point; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** Called with the reason when the platform cannot be reached again, and with `null` when the stream goes on. */
  outage?: (error: TillwrightError | null) => void
}

/** The platform shows every 15 seconds that it is there. */
const SILENT_MS = 45_000
/** How many ids are remembered, because a stream that goes on may repeat what came just before. */
const REMEMBERED = 1_000

/**
 * The data of each message of an event stream, once. A connection that breaks is opened again, after a growing pause, and
 * goes on where it was.
 *
 * @throws {TillwrightError} For what waiting cannot fix, such as a revoked key.
 */
export async function* eventStream(
  operation: Operation,
  input: object,
  { signal = new AbortController().signal, outage = () => {}, ...settings }: StreamOptions & Settings,
): AsyncGenerator<unknown> {
  const remembered = new Set<string>()
  let cursor: string | null = null
  let isOut = false
  for (let failures = 0; ;) {
    const failure: Failure = yield* connection()
    if (signal.aborted) throw signal.reason
    const pauseMs = retryDelayMs(failure, failures, { random: settings.random(), nowMs: settings.now() })
    if (pauseMs === null) throw failure.error
    // One that goes on at the second attempt is no outage.
    if (failures > 0 && !isOut) {
      isOut = true
      outage(failure.error)
    }
    failures += 1
    await settings.sleep(pauseMs, signal)
    if (signal.aborted) throw signal.reason

    /** The messages of one connection, until it breaks. */
    async function* connection(): AsyncGenerator<unknown, Failure> {
      const closing = new AbortController()
      let isSilent = false
      const silence = () => {
        isSilent = true
        closing.abort()
      }
      let timer = setTimeout(silence, settings.timeoutMs)
      try {
        const response = await connect(
          { operation, input, cursor, until: AbortSignal.any([signal, closing.signal]) },
          settings,
        )
        if ('error' in response) return response
        for await (const message of messagesOf(response)) {
          clearTimeout(timer)
          if (isOut) outage(null)
          isOut = false
          failures = 0
          cursor = message.id ?? cursor
          const data = message.data === null ? undefined : parseJson(message.data)
          if (data !== undefined && isNew(data, remembered)) yield data
          // How long the caller takes for it is no silence.
          timer = setTimeout(silence, SILENT_MS)
        }
        return { error: ended, retryAfter: null }
      } catch (cause) {
        return { error: isSilent ? silent(settings, cause) : unreachable(settings.baseUrl, cause), retryAfter: null }
      } finally {
        clearTimeout(timer)
        closing.abort()
      }
    }
  }
}

/** Opens a stream, from the cursor on. */
async function connect(
  {
    operation,
    input,
    cursor,
    until,
  }: { operation: Operation; input: object; cursor: string | null; until: AbortSignal },
  settings: Settings,
): Promise<ReadableStream<Uint8Array> | Failure> {
  const request = buildRequest(operation, input)
  const sent = {
    ...headers(request, null, settings),
    Accept: 'text/event-stream',
    ...(cursor !== null && { 'Last-Event-ID': cursor }),
  }
  const init = { method: request.method, headers: sent, redirect: 'manual', signal: until } as const
  const response = await settings.fetch(settings.baseUrl + request.path, init)
  const isStream = response.ok && response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream && response.body !== null) return response.body
  const outcome = readResponse(response, await response.text())
  if ('error' in outcome) return outcome
  const message = 'The response is no event stream: check `baseUrl` and any proxy in between.'
  return { error: new TillwrightError('response_invalid', message, { status: response.status }), retryAfter: null }
}

/** The platform has ended a stream in order: it restarts, or the rights of the key have changed. */
const ended = new TillwrightError('network_failed', 'The platform has ended the stream.')

function silent({ baseUrl }: Settings, cause: unknown): TillwrightError {
  return new TillwrightError('timed_out', `${originOf(baseUrl)} went silent.`, { cause })
}

/** Notes an object by its id. */
function isNew(data: unknown, remembered: Set<string>): boolean {
  const { id } = Object(data)
  if (typeof id !== 'string') return true
  if (remembered.has(id)) return false
  remembered.add(id)
  const [oldest] = remembered
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  return true
}

/** A message, or a sign of life without data. */
interface Message {
  id: string | null
  data: string | null
}

/** Source: HTML Living Standard, "Server-sent events", as far as the platform uses it: lines end with a line feed. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield { id: fieldOf(block, 'id'), data: fieldOf(block, 'data') }
  }
}

function fieldOf(block: string, name: string): string | null {
  const line = block.split('\n').find((each) => each.startsWith(`${name}: `))
  return line?.slice(name.length + 2) ?? null
}
