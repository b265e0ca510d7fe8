import { createServer, type Server } from 'node:net'
import { InvalidArgumentError } from 'commander'
import { CommandFailed } from '../terminal/fail-with.ts'

const PORTS_TRIED = 50

/**
 * Parses the address of a shop, which may be below a path, as with the base path of a framework.
 *
 * @throws {InvalidArgumentError} For anything but an http or https address.
 */
export function shopAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('It must be an address such as http://localhost:3000 or http://localhost:3000/shop.')
  }
  return withoutSlash(url)
}

function withoutSlash({ href }: URL): string {
  return href.replace(/\/$/, '')
}

/**
 * The shop's address with the first free port from the requested one. The port stays taken until it is released for the
 * shop, so that the platform, which looks for free ports as well, does not find the same one.
 */
export async function holdAddress(wanted: string): Promise<{ url: string; release: () => Promise<void> }> {
  const url = new URL(wanted)
  const { port, release } = await holdPort(url.hostname, portOf(url))
  url.port = String(port)
  return { url: withoutSlash(url), release }
}

/** A port reserved until it is released. */
interface HeldPort {
  port: number
  release: () => Promise<void>
}

/**
 * Reserves the first free port from the requested one. Connections made meanwhile, such as from an open tab, are closed
 * at once.
 */
export async function holdPort(host: string, wanted: number): Promise<HeldPort> {
  for (let port = wanted; port < wanted + PORTS_TRIED; port++) {
    const server = await listenOn(host, port)
    if (server !== null) return { port, release: () => new Promise((resolve) => server.close(() => resolve())) }
  }
  throw new CommandFailed(
    `Ports ${wanted} to ${wanted + PORTS_TRIED - 1} are all taken; choose another address with --shop.`,
  )
}

/** @returns `null` if the port is taken. */
function listenOn(host: string, port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()) // it is closed when its last connection is
    server.once('error', () => resolve(null))
    server.listen({ host, port }, () => resolve(server))
  })
}

/** The port that an address names, or that of its scheme. */
export function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80))
}
