import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isForUs } from './check-request.ts'
import { listen } from './listen.ts'
import { localCertificate, type Certificate } from './local-certificate.ts'
import { proxyRequest } from './proxy-api.ts'

/** Where a dev server is reached. */
export interface Places {
  server: Server
  /** On this machine. */
  url: string
  networkUrls: string[]
  /** Every origin that pages are shown on. */
  origins: string[]
  /** The names that the server answers to beside those of this machine. */
  hosts: string[]
  /** The port that was wanted and taken; `null` when it was free. */
  movedFrom: number | null
  /** The vault's origin as pages of an origin reach it: on the network through us, since it listens on this machine alone. */
  vaultUrl: (origin: string) => string
  close: () => Promise<void>
}

/** What places are opened for. */
export interface PlacesOptions {
  root: string
  /** The first of the ports to try. */
  port: number
  onNetwork: boolean
  /** The vault's origin on this machine; '' while it is not known. */
  vaultUrl: () => string
  listener: RequestListener
}

/** Opens the port that pages are served on; on the network one for the vault beside it, both over HTTPS. */
export async function openPlaces(options: PlacesOptions): Promise<Places> {
  const hosts = options.onNetwork ? networkAddresses() : []
  const certificate = options.onNetwork
    ? await localCertificate(options.root, ['localhost', '127.0.0.1', ...hosts], Date.now())
    : null
  const place = { host: options.onNetwork ? '0.0.0.0' : 'localhost', certificate }
  const server = await listen(options.listener, { ...place, port: options.port })
  const port = portOf(server)
  const vault = certificate === null ? null : await openVault(options, { certificate, port: port + 1, hosts })
  const scheme = certificate === null ? 'http' : 'https'
  const urlOf = (host: string) => `${scheme}://${host}:${port}`
  const networkUrls = hosts.map(urlOf)
  return {
    server,
    hosts,
    networkUrls,
    url: urlOf('localhost'),
    origins: [urlOf('localhost'), urlOf('127.0.0.1'), ...networkUrls],
    movedFrom: options.port === 0 || options.port === port ? null : options.port,
    vaultUrl(origin) {
      if (vault === null) return options.vaultUrl()
      return `https://${new URL(origin).hostname}:${portOf(vault)}`
    },
    async close() {
      await Promise.all([server, ...(vault === null ? [] : [vault])].map(closeServer))
    },
  }
}

async function openVault(
  { vaultUrl }: PlacesOptions,
  { certificate, port, hosts }: { certificate: Certificate; port: number; hosts: readonly string[] },
): Promise<Server> {
  const listener: RequestListener = (request, response) => {
    if (!isForUs(request, hosts)) return void response.writeHead(421).end()
    proxyRequest(request, response, { url: vaultUrl(), path: request.url ?? '/', unreachable: () => {} })
  }
  return listen(listener, { port, host: '0.0.0.0', certificate })
}

/** The addresses of this machine that a phone in the same network can reach. */
function networkAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address)
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port // it listens on TCP
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => void server.close(() => resolve()))
}
