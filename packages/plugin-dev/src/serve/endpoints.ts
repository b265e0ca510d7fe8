import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { AuthorError } from '../author-error.ts'
import { stateFolder, writeState } from '../local-state.ts'
import { isForThisServer } from './request-check.ts'
import { proxyRequest } from './proxy.ts'

/** The addresses of a dev server. */
export interface Endpoints {
  server: Server
  /** On this machine. */
  url: string
  networkUrls: string[]
  /** Every origin that pages are shown on. */
  origins: string[]
  /** Host names that the server answers to, in addition to this machine's. */
  hosts: string[]
  /** The port that was wanted and taken; `null` when it was free. */
  movedFrom: number | null
  /** The vault's origin as pages of an origin reach it: on the network through us, since it listens on this machine alone. */
  vaultUrl: (origin: string) => string
  close: () => Promise<void>
}

/** Options of `openEndpoints`. */
export interface EndpointOptions {
  root: string
  /** The first of the ports to try. */
  port: number
  onNetwork: boolean
  /** The vault's origin on this machine; '' while it is not known. */
  vaultUrl: () => string
  listener: RequestListener
}

/** Opens the port that pages are served on; on the network also one for the vault, both over HTTPS. */
export async function openEndpoints(options: EndpointOptions): Promise<Endpoints> {
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
    // Any port of this machine: one key is good for every start, also on another port.
    origins: [`${scheme}://localhost:*`, `${scheme}://127.0.0.1:*`, ...networkUrls],
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
  { vaultUrl }: EndpointOptions,
  { certificate, port, hosts }: { certificate: Certificate; port: number; hosts: readonly string[] },
): Promise<Server> {
  const listener: RequestListener = (request, response) => {
    if (!isForThisServer(request, hosts)) return void response.writeHead(421).end()
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
 * Listens on the first free port, starting with the given one.
 *
 * @throws {AuthorError} If 50 ports in a row are taken.
 */
async function listen(listener: RequestListener, options: ListenOptions): Promise<Server> {
  const { port, host, certificate } = options
  for (let tried = port; tried < port + PORTS_TRIED; tried += 1) {
    const server = certificate === null ? createHttpServer(listener) : createHttpsServer(certificate, listener)
    if (await listens(server, { port: tried, host })) return server
  }
  throw new AuthorError(`Ports ${port} to ${port + PORTS_TRIED - 1} are all taken; name another one with --port.`)
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

/** A key and its certificate, as PEM. */
export interface Certificate {
  key: string
  cert: string
}

/** Browsers refuse certificates that are good for longer. Source: CA/Browser Forum, ballot SC-081. */
const GOOD_FOR_DAYS = 90
/** One that is about to run out is made anew. */
const LEFT_MIN_MS = 24 * 60 * 60 * 1_000

/**
 * The certificate of this machine's dev servers: kept with the plugin's local things, made anew when it runs out or does not
 * name one of the hosts. It is signed by itself, so that a browser asks once whether to go on.
 *
 * @param hosts Names and addresses that the server is reached by.
 */
export async function localCertificate(root: string, hosts: readonly string[], nowMs: number): Promise<Certificate> {
  const file = join(await stateFolder(root), 'certificate.json')
  const kept = await readKept(file)
  if (kept !== null && isGood(kept.cert, hosts, nowMs)) return kept
  const made = await makeCertificate(hosts, nowMs)
  await writeState(file, JSON.stringify(made))
  return made
}

async function makeCertificate(hosts: readonly string[], nowMs: number): Promise<Certificate> {
  const { generate } = await import('selfsigned')
  const names = hosts.map((host) =>
    /^[\d.]+$|:/.test(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const),
  )
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Tillwright dev server' }], {
    keyType: 'ec',
    notBeforeDate: new Date(nowMs - 60_000),
    notAfterDate: new Date(nowMs + GOOD_FOR_DAYS * 24 * 60 * 60 * 1_000),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: names },
    ],
  })
  return { key, cert }
}

async function readKept(file: string): Promise<Certificate | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null
  }
}

function isGood(cert: string, hosts: readonly string[], nowMs: number): boolean {
  try {
    const read = new X509Certificate(cert)
    const named = hosts.every((host) => read.checkHost(host) !== undefined || read.checkIP(host) !== undefined)
    return named && Date.parse(read.validTo) - nowMs > LEFT_MIN_MS
  } catch {
    return false
  }
}
