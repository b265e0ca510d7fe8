import { hash } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { BODY_MAX_BYTES } from '@tillwright/contract'
import { type Logger, pino } from 'pino'
import { processName } from '../../src/cluster/index.ts'
import { readConfig } from '../../src/config.ts'
import type { Deliver } from '../../src/events/index.ts'
import type { App } from '../../src/http/operations/api-app.ts'
import { type BodyLimits, PARSING_BYTES } from '../../src/http/bodies/body-budget.ts'
import type { Listening } from '../../src/http/listen.ts'
import { withKeys } from '../../src/platform-keys.ts'
import { type Platform, startPlatform, type Connections } from '../../src/platform.ts'
import { takeIntoUse } from '../../src/storage/open-database.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Host } from '../machine/host.ts'
import type { Bank } from './bank.ts'
import { type BlobStore, blobsIn } from './blob-store.ts'
import type { DatabaseServer } from './database.ts'
import { type DatabaseLink, linkTo } from './database-link.ts'
import type { Directory } from './directory.ts'
import { HOOK_URLS, type Merchant } from './merchant.ts'
import type { Receivers } from './receivers.ts'
import { asWrittenBy, type Release, seriesOf } from './releases.ts'
import type { World } from './world.ts'

/** A request, as a client sends it. */
export interface SentRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  /** The number of bytes that arrive before the connection breaks, and when it does; the whole body by default. */
  cut?: { arrived: number; breaksAfterMs: number }
  /** The announced `Content-Length` in bytes; the true one by default. */
  announcedBytes?: number
}

/** An answer, as a client has read it. */
export interface Answer {
  status: number
  headers: Headers
  text: string
}

/** A process of the platform on a machine of its own. */
export interface PlatformProcess {
  host: Host
  link: DatabaseLink
  /** `null` until it has started. */
  platform: Platform | null
  /** Whether the balancer sends it requests. */
  isServing: boolean
  release: Release
  /** Serves a client's request. `answered` is called in the name of the process, or never. */
  serve(origin: 'api' | 'vault', sent: SentRequest, answered: (answer: Answer) => void): void
  /** Stops the process as a supervisor does. */
  stop(): void
}

/** The inputs to starting a process. `failed` is called if it does not start. */
export interface Booting extends Site {
  release: Release
  failed(error: unknown): void
}

/** The parts of the world that all processes of a deployment share. */
export interface Site {
  world: World
  server: DatabaseServer
  files: BlobStore
  bank: Bank
  receivers: Receivers
  merchant: Merchant
  directory: Directory
  /** The key of an account unrelated to the shop. */
  neighbourKey: string
  /** The log lines of all processes, warnings and above. */
  logged: string[]
}

/** Stack traces contain paths of the machine, which differ between machines. */
const STACK = /"stack":"(?:[^"\\]|\\.)*",?/g
const PROXY = '10.0.0.1'
const keyOf = (name: string) => hash('sha256', `the ${name} key of every world`, 'base64')

const settings = {
  TILLWRIGHT_ENVIRONMENT: 'development',
  TILLWRIGHT_HOME: '/nowhere',
  TILLWRIGHT_HOST: '127.0.0.1',
  TILLWRIGHT_API_URL: 'https://api.platform.example',
  TILLWRIGHT_VAULT_URL: 'https://vault.platform.example',
  TILLWRIGHT_PLUGINS_URL: 'https://plugins.platform-pages.example',
  TILLWRIGHT_TRUSTED_PROXIES: PROXY,
  TILLWRIGHT_VAULT_KEY: keyOf('vault'),
  TILLWRIGHT_SECRETS_KEY: keyOf('secrets'),
  TILLWRIGHT_RATE_LIMITS: 'on',
  TILLWRIGHT_DRAIN_SECONDS: '2',
  // Contracts the schema as soon as no process needs the older one, without waiting.
  TILLWRIGHT_CONTRACT_AFTER_HOURS: '0',
}

/** The limits on request bodies in each process: as much as one of the largest that is read into memory. */
export const BODY_LIMITS: BodyLimits = { memoryBytes: PARSING_BYTES + BODY_MAX_BYTES, diskBytes: BODY_MAX_BYTES }

/** Starts a process. It serves once `isServing` is true, which a crash may prevent. */
export function bootPlatform(name: string, host: Host, site: Booting): PlatformProcess {
  const { world, server, release } = site
  const apps = new Map<string, App>()
  const link = linkTo(server, host, world)
  const starting: PlatformProcess = {
    host,
    link,
    platform: null,
    isServing: false,
    release,
    serve(origin, sent, answered) {
      host.do(() => {
        const app = apps.get(origin)
        if (app !== undefined) void answerOf(app, origin, { sent, host }).then(answered)
      }, 'is asked')
    },
    stop() {
      const { platform } = starting
      starting.isServing = false
      if (platform === null) return host.crash()
      host.do(() => {
        void platform.stop().then(() => {
          world.tell(host.name, 'has stopped')
          host.crash()
        })
      })
    },
  }
  const listen = async () => ({ api: listening('api', apps, starting), vault: listening('vault', apps, starting) })
  host.do(() => {
    start({ name, host, db: link.db, listen }, site).then(
      (platform) => {
        starting.platform = platform
        starting.isServing = true
        world.tell(host.name, 'serves')
      },
      (error: unknown) => {
        world.tell(host.name, `cannot start: ${String(error)}`)
        host.crash()
        site.failed(error)
      },
    )
  })
  return starting
}

interface Starting {
  name: string
  host: Host
  db: Database
  listen: Connections['listen']
}

function start({ name, host, db, listen }: Starting, site: Booting): Promise<Platform> {
  const { world, bank, files, receivers, merchant, directory, release } = site
  const hooks: readonly string[] = Object.values(HOOK_URLS)
  const deliver: Deliver = (url, ...sent) =>
    hooks.includes(url) ? merchant.deliver(url, ...sent) : receivers.deliver(url, ...sent)
  const config = {
    ...withKeys(readConfig(settings)),
    bodies: BODY_LIMITS,
    seed: `${world.dice.below(2 ** 30)} ${name}`,
  }
  return startPlatform(config, {
    log: logOf(host, site),
    simulator: directory.simulator,
    processors: [bank.driver],
    migrations: seriesOf(release),
    connections: {
      openDatabase: (_, options) => takeIntoUse(asWrittenBy(release, db), options ?? {}),
      openBlobs: async () => blobsIn(files, host, world),
      listen,
      deliver,
    },
  })
}

function logOf(host: Host, { logged, world }: Site): Logger {
  return pino(
    { level: 'warn', base: null, timestamp: false },
    {
      write(text: string) {
        const line = text.trimEnd().replaceAll(processName, 'a process').replaceAll(STACK, '')
        logged.push(line)
        world.tell(host.name, `logs ${line.slice(0, 400)}`)
      },
    },
  )
}

function listening(origin: string, apps: Map<string, App>, process: PlatformProcess): Listening {
  return {
    address: '127.0.0.1',
    port: 443,
    serve: (app) => void apps.set(origin, app),
    drain() {},
    async stop() {
      process.isServing = false
    },
  }
}

async function answerOf(app: App, origin: string, { sent, host }: { sent: SentRequest; host: Host }): Promise<Answer> {
  const incoming = incomingOf(sent, host)
  const request = new Request(`https://${origin}.platform.example${sent.path}`, {
    method: sent.method,
    headers: { ...sent.headers, 'x-forwarded-proto': 'https' },
  })
  const response = await app.fetch(request, { incoming, outgoing: new ServerResponse(incoming) })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The request as Node's server would hand it on. */
function incomingOf({ method, path, headers, body, cut, announcedBytes }: SentRequest, host: Host): IncomingMessage {
  const bytes = Buffer.from(body)
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: PROXY })
  const incoming = new IncomingMessage(socket)
  incoming.method = method
  incoming.url = path
  incoming.headers = { 'x-forwarded-proto': 'https', ...headers }
  const length = announcedBytes ?? bytes.length
  if (length > 0) incoming.headers['content-length'] = String(length)
  const arrived = bytes.subarray(0, cut?.arrived)
  if (arrived.length > 0) incoming.push(arrived)
  if (cut === undefined) incoming.push(null)
  else host.after(cut.breaksAfterMs, 'loses a connection', () => void incoming.destroy())
  incoming.complete = cut === undefined
  incoming.httpVersion = '1.1'
  incoming.httpVersionMajor = 1
  incoming.httpVersionMinor = 1
  return incoming
}
