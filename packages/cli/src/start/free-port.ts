import { createServer } from 'node:net'
import { CommandFailed } from '../terminal/fail-with.ts'

const PORTS_TRIED = 50

/** The first port from the wanted one on that nobody listens on. */
export async function freePort(host: string, wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + PORTS_TRIED; port++) if (await isFree(host, port)) return port
  throw new CommandFailed(
    `Ports ${wanted} to ${wanted + PORTS_TRIED - 1} are all taken; name another address with --shop.`,
  )
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host, port }, () => server.close(() => resolve(true)))
  })
}
