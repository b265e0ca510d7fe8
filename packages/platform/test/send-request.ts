import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http'
import { text } from 'node:stream/consumers'
import { errorBody, type ErrorBody } from '@tillwright/contract'

/** A test's request. A `body` that is no text and no bytes is sent as JSON. */
export interface SentRequest {
  /** Sent as `Authorization: Bearer <key>`. */
  key?: string | undefined
  body?: unknown
  /** A list of values is sent as that many headers. */
  headers?: OutgoingHttpHeaders
  agent?: Agent
}

/** The response to a test's request. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The body, read as JSON; `undefined` when it is none. */
  body: unknown
  /** The error that the body tells of. Throws when it is not of the contract's shape. */
  readonly error: ErrorBody['error'] & Pick<ErrorBody, 'issues'>
}

/** Sends one HTTP request with nothing in between that would tidy it up. */
export function sendRequest(
  method: string,
  url: string,
  { key, body, headers, agent }: SentRequest = {},
): Promise<Answer> {
  const payload =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const sent = request(url, {
    method,
    ...(agent !== undefined && { agent }),
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
  })
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
      const reading = isStream ? firstMessage(response) : text(response)
      reading.then((read) => resolve(toAnswer(response.statusCode ?? 0, response.headers, read)), reject)
    })
    sent.end(payload)
  })
}

/** The data of the first message of an event stream, which is closed then; nothing if none has come when it is live. */
async function firstMessage(response: IncomingMessage): Promise<string> {
  let read = ''
  for await (const chunk of response) {
    read += String(chunk)
    const [, data] = /^data: (.*)\n\n/m.exec(read) ?? []
    if (data !== undefined) return data
    if (read.includes('\n: live\n')) return ''
  }
  return ''
}

function toAnswer(status: number, headers: IncomingHttpHeaders, read: string): Answer {
  return {
    status,
    headers,
    text: read,
    body: json(read),
    get error() {
      const { error, issues } = errorBody.parse(this.body)
      return { ...error, issues }
    },
  }
}

function json(read: string): unknown {
  try {
    return JSON.parse(read)
  } catch {
    return undefined
  }
}
