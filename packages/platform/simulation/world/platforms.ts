import { hash } from 'node:crypto'
import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { bankSimulator } from '@tillwright/bank-simulator'
import { pino } from 'pino'
import { processName } from '../../src/cluster/index.ts'
import { readConfig } from '../../src/config.ts'
import type { App } from '../../src/http/api-app.ts'
import type { Listening } from '../../src/http/listen.ts'
import { withKeys } from '../../src/platform-keys.ts'
import { type Platform, startPlatform } from '../../src/platform.ts'
import { Host } from '../machine/host.ts'
import type { Bank } from './bank.ts'
import { type DatabaseLink, type DatabaseServer, linkTo } from './database.ts'
import type { Receivers } from './receivers.ts'
import type { World } from './world.ts'

/** A request as a client sends it. */
export interface SentRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** What a client has read of an answer. */
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
  /** Whether requests are sent to it. */
  isServing: boolean
  /** Serves a request of a client; `answered` is called in the process's name, or never. */
  serve(origin: 'api' | 'vault', sent: SentRequest, answered: (answer: Answer) => void): void
  /** Stops it as a supervisor does. */
  stop(): void
}

/** What all processes of a deployment share. */
export interface Site {
  world: World
  server: DatabaseServer
  bank: Bank
  receivers: Receivers
  /** Every line that any of them has logged as a warning or worse. */
  logged: string[]
}

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
}

/** Starts a process, which serves once it says so, or never when it crashes before. */
export function bootPlatform(name: string, host: Host, site: Site): PlatformProcess {
  const { world, server, bank, receivers } = site
  const apps = new Map<string, App>()
  const link = linkTo(server, host, world)
  const starting: PlatformProcess = { host, link, platform: null, isServing: false, serve, stop }
  const log = pino(
    { level: 'warn', base: null, timestamp: false },
    {
      write(text: string) {
        const line = text.trimEnd().replaceAll(processName, 'a process')
        site.logged.push(line)
        world.tell(host.name, `logs ${line.slice(0, 400)}`)
      },
    },
  )
  const listening = (origin: 'api' | 'vault'): Listening => ({
    address: '127.0.0.1',
    port: 443,
    serve: (app) => void apps.set(origin, app),
    drain() {},
    async stop() {
      starting.isServing = false
    },
  })
  const config = { ...withKeys(readConfig(settings)), seed: `${world.dice.below(2 ** 30)} ${name}` }

  host.do(() => {
    startPlatform(config, {
      log,
      simulator: bankSimulator,
      processors: [bank.driver],
      surroundings: {
        openDatabase: async () => link.db,
        listen: async () => ({ api: listening('api'), vault: listening('vault') }),
        deliver: receivers.deliver,
      },
    }).then(
      (platform) => {
        starting.platform = platform
        starting.isServing = true
        world.tell(host.name, 'serves')
      },
      (error: unknown) => {
        world.tell(host.name, `cannot start: ${String(error)}`)
        host.crash()
      },
    )
  })
  return starting

  function serve(origin: 'api' | 'vault', sent: SentRequest, answered: (answer: Answer) => void): void {
    host.do(() => {
      const app = apps.get(origin)
      if (app === undefined) return
      const answer = async () => {
        const incoming = incomingOf(sent)
        const request = new Request(`https://${origin}.platform.example${sent.path}`, {
          method: sent.method,
          headers: { ...sent.headers, 'x-forwarded-proto': 'https' },
        })
        const response = await app.fetch(request, { incoming, outgoing: new ServerResponse(incoming) })
        answered({ status: response.status, headers: response.headers, text: await response.text() })
      }
      void answer()
    }, 'is asked')
  }

  function stop(): void {
    const { platform } = starting
    starting.isServing = false
    if (platform === null) return host.crash()
    host.do(() => {
      void platform.stop().then(() => {
        world.tell(host.name, 'has stopped')
        host.crash()
      })
    })
  }
}

/** What Node's server would hand on of a request that has arrived whole. */
function incomingOf({ method, path, headers, body }: SentRequest): IncomingMessage {
  const bytes = Buffer.from(body)
  const own: IncomingHttpHeaders = { 'x-forwarded-proto': 'https', ...headers }
  if (bytes.length > 0) own['content-length'] = String(bytes.length)
  const stream = Readable.from(bytes.length > 0 ? [bytes] : [], { objectMode: false })
  const facts = { method, url: path, headers: own, complete: true, socket: { remoteAddress: PROXY }, httpVersionMajor: 1 }
  // Of a request the platform reads these facts and the stream, and nothing else.
  return Object.assign(stream, facts) as unknown as IncomingMessage
}
