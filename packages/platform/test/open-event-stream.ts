import { request } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { contract, type Event } from '@tillwright/contract'
import { onTestFinished } from 'vitest'
import type { TestPlatform } from './test-platform.ts'

/** A block of an event stream, by its fields. `comment` is what follows a colon. */
export interface Block {
  id?: string
  event?: string
  data?: string
  comment?: string
  retry?: string
}

/** An event stream as a client reads it. */
export interface OpenedStream {
  status: number
  headers: IncomingMessage['headers']
  /** The next block; `null` once the stream has ended or was cut. */
  next(): Promise<Block | null>
  /** Reads until the log has been sent and new events follow; returns the events and the cursor. */
  live(): Promise<{ ids: string[]; cursor: string }>
  /** The next event. */
  event(): Promise<Event & { cursor: string }>
  close(): void
}

/** The account and the filters of a stream. The local account's key for org:admin by default. */
export interface StreamSent {
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: OutgoingHttpHeaders
}

/** Opens the stream of events, which is closed when the test is over. */
export async function openEventStream(
  { apiUrl, local }: Pick<TestPlatform, 'apiUrl' | 'local'>,
  { key = local.adminApiKey, query = {}, headers = {} }: StreamSent = {},
): Promise<OpenedStream> {
  const address = `${apiUrl}${contract.eventLog.stream.path}?${new URLSearchParams(query).toString()}`
  const authorization = key === '' ? {} : { Authorization: `Bearer ${key}` }
  const sent = request(address, { agent: false, headers: { ...authorization, ...headers } })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end()
  })
  const close = () => void response.destroy()
  onTestFinished(close)
  const blocks = blocksOf(response)
  const next = async () => (await blocks.next()).value ?? null
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next,
    close,
    async live() {
      const ids: string[] = []
      for (let block = await next(); block !== null; block = await next()) {
        if (block.data !== undefined) ids.push(JSON.parse(block.data).id)
        if (block.comment === 'live') return { ids, cursor: block.id ?? '' }
      }
      throw new Error('The stream has ended.')
    },
    async event() {
      for (let block = await next(); block !== null; block = await next()) {
        if (block.data !== undefined) return { ...JSON.parse(block.data), cursor: block.id ?? '' }
      }
      throw new Error('The stream has ended.')
    },
  }
}

async function* blocksOf(response: IncomingMessage): AsyncGenerator<Block, null> {
  let text = ''
  try {
    for await (const chunk of response) {
      text += String(chunk)
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) yield readBlock(block)
    }
  } catch {
    // Cut off.
  }
  return null
}

function readBlock(block: string): Block {
  const lines = block.split('\n').map((line) => (line.startsWith(':') ? `comment${line}` : line))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
}
