import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { bytesUntil } from './bytes-until.ts'
import { html, SHOP_ORIGIN, type Answer, type Contender } from './contender.ts'
import type { Certificate } from './make-certificate.ts'

/** One server that stands for every host of a run: the shop's, and those of the contender on show. */
export interface Server {
  port: number
  /** Puts another contender on show, and forgets what was sent. */
  show(contender: Contender): void
  /** The files of the contender that were sent since `show()`: address without its query -> bytes in brotli that its field needs. */
  sent(): ReadonlyMap<string, number>
  close(): void
}

const compress = promisify(brotliCompress) // at quality 11 unless told otherwise
const counted = /^text\/(?:html|css|javascript)/

/** Serves all hosts alike: HTTP/2, brotli 11, no think time of its own. */
export async function startServer({ cert, key }: Certificate): Promise<Server> {
  let shown: Contender | null = null
  let sent = new Map<string, number>()
  const compressed = new Map<string, Promise<Uint8Array>>()
  const server = createSecureServer({ cert, key }, (request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a host and port has an AddressInfo; only pipes have a string.
  const { port } = server.address() as AddressInfo
  return {
    port,
    show: (contender) => {
      shown = contender
      sent = new Map()
    },
    sent: () => new Map(sent),
    close: () => void server.close(),
  }

  async function answer(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const url = new URL(request.url, `https://${request.authority}`)
    if (request.method === 'OPTIONS') return void response.writeHead(204, preflight(request)).end()
    const found = shown === null ? null : await find(url, shown)
    if (found === null) return void response.writeHead(404).end()
    const { status = 200, headers = {}, body, standIn, worksFrom } = found
    const bytes = await shrink(body)
    const isShop = url.href === `${SHOP_ORIGIN}/`
    if (!isShop && !standIn && counted.test(headers['content-type'] ?? '')) {
      sent.set(`${url.origin}${url.pathname}`, worksFrom ? bytesUntil(bytes, worksFrom) : bytes.length)
    }
    response.writeHead(status, { ...headers, 'content-encoding': 'br' }).end(bytes)
  }

  /** A body that is asked for again is not compressed again, as with any cache in front of a server. */
  function shrink(body: Answer['body']): Promise<Uint8Array> {
    const name = typeof body === 'string' ? body : Buffer.from(body).toString('latin1')
    const bytes = compressed.get(name) ?? compress(body)
    compressed.set(name, bytes)
    return bytes
  }
}

function find(url: URL, contender: Contender): Answer | null | Promise<Answer | null> {
  if (url.href !== `${SHOP_ORIGIN}/`) return contender.answer(url)
  return html(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
    <link rel="icon" href="data:,"></head><body>${contender.markup}</body></html>`)
}

function preflight(request: Http2ServerRequest): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': '*',
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
  }
}
