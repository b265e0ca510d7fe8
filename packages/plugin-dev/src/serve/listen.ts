import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Certificate } from './local-certificate.ts'

const PORTS_TRIED = 50

/** Where a server is to listen. */
export interface ListenOptions {
  /** The first of the ports to try; 0 for any. */
  port: number
  /** `localhost`, or `0.0.0.0` for the network. */
  host: string
  /** For HTTPS; `null` for plain HTTP. */
  certificate: Certificate | null
}

/**
 * Listens on the first port from the wanted one on that nobody has.
 *
 * @throws {Error} When many in a row are taken.
 */
export async function listen(listener: RequestListener, options: ListenOptions): Promise<Server> {
  const { port, host, certificate } = options
  for (let tried = port; tried < port + PORTS_TRIED; tried += 1) {
    const server = certificate === null ? createHttpServer(listener) : createHttpsServer(certificate, listener)
    if (await listens(server, { port: tried, host })) return server
  }
  throw new Error(`Ports ${port} to ${port + PORTS_TRIED - 1} are all taken; name another one with --port.`)
}

function listens(server: Server, place: { port: number; host: string }): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return resolve(false)
      reject(error)
    })
    server.listen(place, () => resolve(true))
  })
}
