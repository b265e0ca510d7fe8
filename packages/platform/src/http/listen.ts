import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ApiError, OperatorError } from '../runtime/index.ts'
import type { App } from './operations/index.ts'
import type { ConnectionLimit } from './connection-limit.ts'
import { answerUnreadable, type FailureResponse, plainText, written } from './unreadable-requests.ts'

/** How many further ports are tried if the requested one is in use. */
const PORTS_TRIED = 50
const PORT_MAX = 65_535
/**
 * How long requests under way may take to finish when the platform stops. With the drain before it and the workers behind
 * it, this fits the 30 s that supervisors grant before they kill.
 */
export const FINISH_MS = 18_000
/** How long a request may take to arrive: enough for the largest body over a slow line. Then the connection is closed. */
const ARRIVE_MS = 300_000
/**
 * How long an idle connection is kept open: longer than load balancers keep theirs, most of them 60 s, so that they are
 * the ones to close it. A request sent into a connection that is just being closed here would get no answer.
 */
const KEEP_ALIVE_MS = 75_000
/** How often connections are looked at whose request does not arrive. */
const LOOK_EVERY_MS = 30_000

/**
 * A server that accepts connections. Requests that come before `serve` has given it its routes wait for them. `failure`
 * responds to requests that cannot be read at all.
 */
export interface Listening {
  /** The address of the machine, such as `127.0.0.1`. */
  address: string
  port: number
  serve: (app: App, failure?: FailureResponse) => void
  /** Goes on accepting, but ends each connection with its next response, so that clients turn to another process. */
  drain: () => void
  /** Takes no more connections, lets requests finish for at most 18 s, and closes. */
  stop: () => Promise<void>
}

/** The address cannot be listened on. The message says what to set instead. */
export class CannotListen extends OperatorError {
  override readonly name = 'CannotListen'
}

/** Where to listen. */
export interface Address {
  host: string
  /** 0 takes any free port. */
  port: number
  /** The setting that names the port, for the message of an error. */
  setting: 'TILLWRIGHT_PORT' | 'TILLWRIGHT_VAULT_PORT'
  /** How many further ports are tried if it is in use. Only for developers: a balancer would never find out. */
  portsTried: number
  /** None unless given. */
  connections?: ConnectionLimit
}

/**
 * Listens on a port.
 *
 * @param arriveMs How long a request may take to arrive, five minutes unless given.
 * @throws {CannotListen} If the ports are in use, or the host is not an address of this machine.
 */
export async function listen(
  { host, port, setting, portsTried, connections }: Address,
  arriveMs: number = ARRIVE_MS,
): Promise<Listening> {
  const patience = {
    requestTimeout: arriveMs,
    connectionsCheckingInterval: Math.min(arriveMs, LOOK_EVERY_MS),
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  for (let tried = 0; ; tried++) {
    const server = createServer(patience)
    const taken = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        const isLast = tried === portsTried || port + tried === PORT_MAX
        if (error.code === 'EADDRINUSE' && port !== 0 && !isLast) resolve(true)
        else reject(cannotListen({ host, port, setting }, error))
      })
      server.listen({ host, port: port === 0 ? 0 : port + tried }, () => resolve(false))
    })
    if (!taken) return listening(server, connections)
  }
}

/** The servers of the API's origin and of the vault's. */
export interface BothOrigins {
  /** `null` in a process that has no use for it. */
  api: Listening | null
  vault: Listening | null
}

/** The addresses that both origins listen on. */
export interface TwoPlaces {
  host: string
  port: number
  vaultPort: number
  /** Refuses a host that other machines could reach, whatever its name is, and moves on from a port that is in use. */
  isLocal: boolean
  /** The origins that this process has a use for, at least one. */
  origins: readonly ('api' | 'vault')[]
  connections: ConnectionLimit
}

/**
 * Listens for all of the origins or for none: a single one would keep the process alive.
 *
 * @throws {CannotListen}
 */
export async function listenOnBoth(places: TwoPlaces): Promise<BothOrigins> {
  const { port, vaultPort, origins } = places
  const api = origins.includes('api') ? await listenOn({ port, setting: 'TILLWRIGHT_PORT' }, places) : null
  if (!origins.includes('vault')) return { api, vault: null }
  try {
    return { api, vault: await listenOn({ port: vaultPort, setting: 'TILLWRIGHT_VAULT_PORT' }, places) }
  } catch (error) {
    await api?.stop()
    throw error
  }
}

async function listenOn(
  wanted: Pick<Address, 'port' | 'setting'>,
  { host, isLocal, connections }: TwoPlaces,
): Promise<Listening> {
  const opened = await listen({ ...wanted, host, portsTried: isLocal ? PORTS_TRIED : 0, connections })
  const { address } = opened
  if (!isLocal || address === '::1' || address.startsWith('127.')) return opened
  await opened.stop()
  throw new CannotListen(
    `TILLWRIGHT_HOST: "${host}" is ${address} here, and "local" listens on loopback only; use "127.0.0.1".`,
  )
}

function cannotListen(
  { host, port, setting }: Pick<Address, 'host' | 'port' | 'setting'>,
  error: NodeJS.ErrnoException,
): CannotListen {
  const remedy =
    error.code === 'EADDRINUSE'
      ? `the port is in use. Stop the process that has it, or set another port with ${setting}.`
      : `set an address of this machine with TILLWRIGHT_HOST, and a port with ${setting}.`
  const message = `Cannot listen on ${host}:${port} (${error.code}): ${remedy}`
  return new CannotListen(message, { cause: error })
}

function listening(server: Server, connections: ConnectionLimit | undefined): Listening {
  const { address, port } = server.address() as AddressInfo // a TCP server that listens has one
  const early: [IncomingMessage, ServerResponse][] = []
  const isOver = connections?.guard(server) ?? (() => false)
  /** Refuses a request whose connection is over the limit. */
  function refused({ socket }: IncomingMessage): boolean {
    if (!isOver(socket)) return false
    void written(tooManyConnections(), { isPage: false, respond }).then((answer) => socket.end(answer))
    return true
  }
  function wait(request: IncomingMessage, response: ServerResponse): void {
    if (refused(request)) return
    if (!isProbeWhileStarting(request, response)) early.push([request, response])
  }
  server.on('request', wait)
  server.on('request', (_, response) => response.once('close', () => setImmediate(hangUp)))
  const underWay = new Set<Promise<unknown>>()
  let isDraining = false
  server.prependListener('request', (_, response) => void (response.shouldKeepAlive &&= !isDraining))
  let respond: FailureResponse = plainText
  answerUnreadable(server, () => respond)
  /** While the server stops, a connection that has had its answer is not kept for another. */
  function hangUp(): void {
    if (!server.listening) server.closeIdleConnections()
  }
  return {
    address,
    port,
    serve: (app, failure = plainText) => {
      respond = failure
      const listener = getRequestListener(
        async (request, env) => {
          const response = Promise.resolve(app.fetch(request, env))
          underWay.add(response)
          return response.finally(() => underWay.delete(response))
        },
        { hostname: 'localhost' }, // for HTTP/1.0, in which balancers probe without a `Host`
      )
      const answer = (request: IncomingMessage, response: ServerResponse) => {
        if (!refused(request)) void listener(request, response)
      }
      server.off('request', wait).on('request', answer)
      for (const [request, response] of early) answer(request, response)
    },
    drain,
    async stop() {
      drain()
      const tooLate = Promise.withResolvers<void>()
      const deadline = setTimeout(() => {
        server.closeAllConnections()
        tooLate.resolve()
      }, FINISH_MS)
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeIdleConnections()
      // The client of a request may be gone while what it began is still under way.
      await Promise.race([Promise.all([closed, Promise.allSettled(underWay)]), tooLate.promise])
      clearTimeout(deadline)
    },
  }
  function drain(): void {
    isDraining = true
  }
}

function tooManyConnections(): ApiError {
  return new ApiError('unavailable', 'There are too many connections; try again in a moment.', {
    headers: { 'Retry-After': '1' },
  })
}

/** Probes are answered while all other requests wait for the platform to have started. */
function isProbeWhileStarting({ url }: IncomingMessage, response: ServerResponse): boolean {
  const isAlive = url === '/livez' || url === '/healthz'
  if (!isAlive && url !== '/readyz' && url !== '/startupz') return false
  response.writeHead(isAlive ? 200 : 503, { 'Content-Type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify({ status: isAlive ? 'ok' : 'starting' }))
  return true
}
