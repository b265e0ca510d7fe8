import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { OperatorError } from '../runtime/index.ts'
import { type ChannelTls, secured } from './tls.ts'

/** The operations of a channel, by name. Arguments and results are JSON. */
export type ChannelOperations = Readonly<Record<string, (argument: unknown) => Promise<unknown>>>

/** A card's authentication messages have a few kilobytes. */
const REQUEST_MAX_BYTES = 256 * 1024
/** How long calls under way may take to finish when the process stops. */
const FINISH_MS = 18_000
/** Longer than clients keep idle connections, so that a call is not sent into one that is being closed. */
const KEEP_ALIVE_MS = 60_000

/** A channel that takes calls. */
export interface ListeningChannel {
  port: number
  /** Takes no more calls, and lets those under way finish. */
  stop: () => Promise<void>
}

/** Where a channel listens. */
export interface ChannelPlace {
  host: string
  port: number
  tls: ChannelTls
  /** Called with each failed call. */
  onError: (operation: string, error: unknown) => void
}

/**
 * Takes calls from holders of a certificate of the channel's own authority, over TLS 1.3. Everybody else is turned away
 * before a byte is read.
 *
 * @throws {OperatorError} If the port is in use.
 */
export async function listenOnChannel(place: ChannelPlace, operations: ChannelOperations): Promise<ListeningChannel> {
  const options = { ...secured(place.tls), requestCert: true, keepAliveTimeout: KEEP_ALIVE_MS }
  const server = createServer(options, (request, response) => {
    void answer(request, operations).then(
      (result) => send(response, 200, { result }),
      (error: unknown) => {
        place.onError(request.url ?? '', error)
        // The cause stays in this process's log: its text may quote what was sent.
        send(response, 500, { error: 'The call failed.' })
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message = `Cannot listen on ${place.host}:${place.port} (${error.code}); set another port with TILLWRIGHT_VAULT_CHANNEL_PORT.`
      reject(new OperatorError(message, { cause: error }))
    })
    server.listen(place.port, place.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port, // a TCP server that listens has one
    stop: () =>
      new Promise((resolve) => {
        const deadline = setTimeout(() => server.closeAllConnections(), FINISH_MS)
        server.close(() => {
          clearTimeout(deadline)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

async function answer(request: IncomingMessage, operations: ChannelOperations): Promise<unknown> {
  const name = (request.url ?? '').slice(1)
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > REQUEST_MAX_BYTES) throw new RangeError(`A call has more than ${REQUEST_MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  if (operation === undefined || request.method !== 'POST') throw new Error(`There is no call ${name}.`)
  return operation(JSON.parse(Buffer.concat(chunks).toString()))
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
