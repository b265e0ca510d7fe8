import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that answers at `url`, an origin without a path. */
export interface Listening {
  url: string
  close(): Promise<void>
}

/** Makes a server listen on a free port of this machine. */
export function listen(server: Server): Promise<Listening> {
  return new Promise((resolve) => {
    server.listen(0, 'localhost', () => {
      // A server that listens on a host and port has an AddressInfo; only pipes have a string.
      const { port } = server.address() as AddressInfo
      resolve({ url: `http://localhost:${port}`, close: () => close(server) })
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
