import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '../runtime/index.ts'

/** How long a client may keep sending after it was refused, so that it can read the response before the connection closes. */
const DRAIN_MS = 2_000
/** If the first line has more bytes, the address is what is too large about a request, rather than its cookies. */
const ADDRESS_MAX_BYTES = 8 * 1024

/** The response to a request that failed before any route saw it. */
export type FailureResponse = (error: ApiError) => Response

/**
 * Responds to requests that Node's HTTP parser has rejected. A browser with more cookies than we accept would be refused
 * for as long as they live, up to 400 days, and no page could help it, so it is told to delete them. None of them is ours.
 */
export function answerUnreadable(server: Server, respond: () => FailureResponse): void {
  const responses = new WeakMap<Duplex, ServerResponse>()
  const answered = new WeakSet<Duplex>()
  server.on('request', ({ socket }, response) => responses.set(socket, response))
  server.on('clientError', (error: Unreadable, socket) => {
    if (answered.has(socket)) return // the bytes that follow are just as unreadable
    answered.add(socket)
    const response = responses.get(socket)
    const isAnswering = response?.headersSent === true && !response.writableFinished
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy()
    void written(refusalOf(error), { isPage: asksForPage(error.rawPacket), respond: respond() }).then((answer) =>
      socket.end(answer),
    )
    socket.resume()
    const deadline = setTimeout(() => socket.destroy(), DRAIN_MS)
    socket.once('close', () => clearTimeout(deadline))
  })
}

interface Unreadable extends Error {
  code?: string
  /** The bytes that came last. They may hold secrets. */
  rawPacket?: Buffer
}

function refusalOf({ code = '', rawPacket }: Unreadable): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return hasLongAddress(rawPacket)
        ? new ApiError('address_too_long', 'The address of this request is too long; send what it carries in a body.')
        : new ApiError(
            'headers_too_large',
            'The headers of this request are too large. If that was because of cookies, your browser has forgotten them now: load the page again.',
            { headers: { 'Clear-Site-Data': '"cookies"' } },
          )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError(
        'body_too_large',
        'A chunk extension in the body is too long; send chunks without extensions.',
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request did not arrive in time; send it again.')
    default:
      return new ApiError('http_invalid', 'This is not an HTTP request that can be read; send it with an HTTP client.')
  }
}

/** A link to a long address must not be a way to sign a user out of every site on our domain. */
function hasLongAddress(packet: Buffer | undefined): boolean {
  if (packet === undefined || !/^[A-Z]+ \//.test(packet.toString('latin1', 0, 16))) return false
  const end = packet.indexOf('\n')
  return end === -1 || end > ADDRESS_MAX_BYTES
}

/** Whether a browser was going to show the response. One that cannot be recognized is taken for a program's. */
function asksForPage(packet: Buffer | undefined): boolean {
  const head = packet?.toString('latin1') ?? ''
  return /^GET \/(?!api\/)/.test(head) && /\naccept:[^\n]*text\/html/i.test(head)
}

/** Writes a response as HTTP: the JSON of an error, or for a page its message alone. */
export async function written(
  error: ApiError,
  { isPage, respond }: { isPage: boolean; respond: FailureResponse },
): Promise<string> {
  const response = respond(error)
  const body = isPage ? error.message : await response.text()
  if (isPage) response.headers.set('Content-Type', 'text/plain; charset=utf-8')
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** Until `serve` is called, or where nothing else is known: the message. */
export function plainText({ message, status, details }: ApiError): Response {
  return new Response(message, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...details.headers } })
}
