import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long a browser may go on sending what was refused already, so that it reads why before the connection is gone. */
const DRAIN_MS = 2_000
/** A first line of more bytes is what is too large of a request, rather than its cookies. */
const ADDRESS_MAX_BYTES = 8 * 1024

/**
 * Answers what the parser of HTTP has refused. A browser with too many cookies for us would be refused for as long as they
 * live, which may be 400 days, and no page could help it: it is told to forget them. None of them is ours.
 */
export function answerUnreadable(server: Server): void {
  const responses = new WeakMap<Duplex, ServerResponse>()
  const answered = new WeakSet<Duplex>()
  server.on('request', ({ socket }, response) => responses.set(socket, response))
  server.on('clientError', (error: Unreadable, socket) => {
    if (answered.has(socket)) return // what comes behind it is as unreadable
    answered.add(socket)
    const response = responses.get(socket)
    const isAnswering = response?.headersSent === true && !response.writableFinished
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy()
    socket.end(answerTo(error))
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

const refusals: Readonly<Record<string, { status: string; message: string }>> = {
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: '413 Payload Too Large', message: 'A chunk has too long an extension.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request did not arrive in time.' },
}
const unknownRefusal = { status: '400 Bad Request', message: 'This is not an HTTP request that can be read.' }
const longAddress = { status: '414 URI Too Long', message: 'The address of this request is too long.' }
const largeHeaders = {
  status: '431 Request Header Fields Too Large',
  message:
    'The headers of this request are too large. If that was because of cookies, your browser has forgotten them now: load the page again.',
}

function answerTo({ code = '', rawPacket }: Unreadable): string {
  if (code !== 'HPE_HEADER_OVERFLOW') return written(refusals[code] ?? unknownRefusal)
  if (hasLongAddress(rawPacket)) return written(longAddress)
  return written(largeHeaders, ['Clear-Site-Data: "cookies"'])
}

/** A link to a long address must not be a way to sign somebody out of every site on our domain. */
function hasLongAddress(packet: Buffer | undefined): boolean {
  if (packet === undefined || !/^[A-Z]+ \//.test(packet.toString('latin1', 0, 16))) return false
  const end = packet.indexOf('\n')
  return end === -1 || end > ADDRESS_MAX_BYTES
}

function written({ status, message }: { status: string; message: string }, headers: readonly string[] = []): string {
  const head = [
    `HTTP/1.1 ${status}`,
    ...headers,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${message.length}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${message}`
}
