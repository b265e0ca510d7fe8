import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bankSimulator } from '@tillwright/bank-simulator'
import { createClient } from '@tillwright/client'
import {
  type Clock,
  createPlatformLog,
  openOperator,
  readConfig,
  startPlatform,
  systemClock,
  withKeys,
} from '@tillwright/platform'
import { freePort } from '../../../../.ci/free-port.ts'
import { localCertificate } from '../../../plugin-dev/src/serve/endpoints.ts'
import { proxyRequest } from '../../../plugin-dev/src/serve/proxy.ts'

/** A development platform behind HTTPS proxies, as on a server, with an account and a store. */
export interface RunningDevelopment {
  apiUrl: string
  vaultUrl: string
  /** A secret key of the account. */
  apiKey: string
  storeId: string
  /** Environment that makes a process trust the proxies' certificate. */
  trust: { NODE_EXTRA_CA_CERTS: string }
  makePublishableKey: (origin: string) => Promise<string>
  /** Moves its clock forward. */
  advance: (ms: number) => void
  stopPlatform: () => Promise<void>
  startPlatform: () => Promise<void>
  /** Ends all of it. */
  stop: () => Promise<void>
}

/** Starts a development platform on loopback. */
export async function startDevelopment(): Promise<RunningDevelopment> {
  const home = await mkdtemp(join(tmpdir(), 'cli-development-'))
  const certificate = await localCertificate(home, ['localhost', '127.0.0.1'], Date.now())
  const trusted = join(home, 'certificate.pem')
  await writeFile(trusted, certificate.cert)
  const [port, vaultPort] = [await freePort(), await freePort()]
  const proxies = [await openProxy(certificate, port), await openProxy(certificate, vaultPort)]
  const [apiUrl = '', vaultUrl = ''] = proxies.map((proxy) => `https://localhost:${portOf(proxy)}`)
  const config = readConfig({
    TILLWRIGHT_ENVIRONMENT: 'development',
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_HOST: '127.0.0.1',
    TILLWRIGHT_PORT: String(port),
    TILLWRIGHT_VAULT_PORT: String(vaultPort),
    TILLWRIGHT_API_URL: apiUrl,
    TILLWRIGHT_VAULT_URL: vaultUrl,
    TILLWRIGHT_PLUGINS_URL: `https://plugins.localhost:${new URL(apiUrl).port}`,
    TILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64'),
    TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
    TILLWRIGHT_RATE_LIMITS: 'off',
    TILLWRIGHT_DRAIN_SECONDS: '0',
  })
  let offsetMs = 0
  const clock: Clock = { ...systemClock, now: () => Date.now() + offsetMs }
  const log = createPlatformLog(config, join(home, 'platform.log'))
  const run = () => startPlatform(withKeys(config), { clock, log, simulator: bankSimulator })
  let platform = await run()
  const operator = await openOperator(config)
  const { id: account } = await operator.accounts.create({ name: 'Development', plan: 'premium' })
  const { key: apiKey } = await operator.keys.createSecret({ account, roles: ['org:admin'], scopes: [] })
  const settings = { currencies: null, brands: null, merchant: null, acquirer: null, apiUrl: null }
  const simulator = { account, name: 'Simulator', driver: 'simulator', secret: null, settings } as const
  const { id: processorId } = await operator.processors.add(simulator)
  const storeId = await makeStore({ apiKey, baseUrl: `http://127.0.0.1:${port}`, processorId })
  return {
    apiUrl,
    vaultUrl,
    apiKey,
    storeId,
    trust: { NODE_EXTRA_CA_CERTS: trusted },
    makePublishableKey: async (origin) =>
      (await operator.keys.createPublishable({ store: storeId, origins: [origin] })).key,
    advance: (ms) => void (offsetMs += ms),
    stopPlatform: () => platform.stop(),
    async startPlatform() {
      platform = await run()
    },
    async stop() {
      await operator.close()
      await platform.stop()
      for (const proxy of proxies) proxy.closeAllConnections()
      await Promise.all(proxies.map((proxy) => new Promise((resolve) => proxy.close(resolve))))
      await rm(home, { recursive: true, force: true })
    },
  }
}

interface WantedStore {
  apiKey: string
  baseUrl: string
  processorId: string
}

/** Creates a store that takes payments, as its owner's server would. */
async function makeStore({ apiKey, baseUrl, processorId }: WantedStore): Promise<string> {
  const client = createClient({
    apiKey,
    baseUrl,
    fetch: (address, init) => fetch(address, { ...init, headers: { ...Object(init.headers), ...overHttps } }),
  })
  const { id: selectedPaymentFlowId } = await client.paymentFlows.create({
    data: { name: 'Simulated', strategy: 'simple', processorConfigs: [{ processorId, weight: 1 }] },
  })
  const { id } = await client.stores.create({ name: 'Demo', baseCurrency: 'USD', selectedPaymentFlowId })
  return id
}

/** Headers of a proxy that ends HTTPS. */
const overHttps = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' }

/** Ends HTTPS in front of a platform outside `local`. */
export async function openProxy(certificate: { cert: string; key: string }, port: number): Promise<Server> {
  const proxy = createServer(certificate, (request, response) => {
    proxyRequest(request, response, {
      url: `http://127.0.0.1:${port}`,
      path: request.url ?? '/',
      headers: { ...overHttps, host: request.headers.host ?? '' },
      unreachable: () => void response.writeHead(502).end(),
    })
  })
  await new Promise<void>((resolve) => void proxy.listen(0, 'localhost', resolve))
  return proxy
}

export function portOf(listening: Server): number {
  return (listening.address() as AddressInfo).port // it listens on TCP
}
