import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { insertAccount } from '../../src/accounts/accounts.ts'
import { newApiKey } from '../../src/accounts/api-keys.ts'
import { readConfig } from '../../src/config.ts'
import { withKeys } from '../../src/platform-keys.ts'
import { commit } from '../../src/http/operations/commit.ts'
import { startPlatform } from '../../src/platform.ts'
import type { NameServers } from '../../src/plugins/hosting.ts'
import { type ManualClock, manualClock } from '../../src/runtime/clock.ts'
import { sendRequest } from '../send-request.ts'
import { deployBody } from './deploy-plugin.ts'

/** A platform outside `local`, where a domain has to be proven before plugins are shown on it. */
export interface DevelopmentPlatform {
  /** Where it listens: behind it stands no proxy, though it believes that one ends HTTPS. */
  apiUrl: string
  logged: readonly string[]
  clock: ManualClock
  /** Adds an account with a store and a deployment in it. */
  account(deployment?: Parameters<typeof deployBody>[1]): Promise<DeployedAccount>
}

/** An account with a deployment. */
export interface DeployedAccount {
  storeId: string
  deploymentId: string
  /** Of the deployment. */
  url: string | null
  /** Sends a POST with the account's key. */
  send(path: string, body: object): ReturnType<typeof sendRequest>
  /** Sends a GET with the account's key. */
  read(path: string): ReturnType<typeof sendRequest>
}

/** Starts one, which stops when the test ends. */
export async function startDevelopment(
  txt: NameServers['txt'],
  addresses: NameServers['addresses'] = async () => [],
): Promise<DevelopmentPlatform> {
  const folder = await mkdtemp(join(tmpdir(), 'development-'))
  const config = readConfig({
    TILLWRIGHT_ENVIRONMENT: 'development',
    TILLWRIGHT_HOME: folder,
    TILLWRIGHT_HOST: '127.0.0.1',
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
    TILLWRIGHT_API_URL: 'https://api.platform.example',
    TILLWRIGHT_VAULT_URL: 'https://vault.platform.example',
    TILLWRIGHT_PLUGINS_URL: 'https://plugins.platform-pages.example',
    TILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64'),
    TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
    TILLWRIGHT_RATE_LIMITS: 'off',
    TILLWRIGHT_DRAIN_SECONDS: '0',
  })
  const clock = manualClock(Date.UTC(2030, 0, 1))
  const logged: string[] = []
  const log = pino({}, { write: (line) => void logged.push(line) })
  const { services, stop } = await startPlatform(withKeys(config), { clock, log, names: { txt, addresses } })
  onTestFinished(async () => {
    await stop()
    await rm(folder, { recursive: true })
  })
  const { port } = JSON.parse(logged.find((line) => line.includes('platform started')) ?? '{}')
  const apiUrl = `http://127.0.0.1:${port}`
  let accounts = 0

  async function account(deployment: Parameters<typeof deployBody>[1] = {}): Promise<DeployedAccount> {
    const accountId = `acc_${(accounts += 1)}`
    const { text: key, write } = newApiKey({ accountId, kind: 'secret' }, services)
    await commit([insertAccount({ id: accountId, name: 'A', plan: 'standard' }, clock.now()), write], services)
    const send: DeployedAccount['send'] = (path, body) =>
      sendRequest('POST', apiUrl + path, { body, key, headers: { 'X-Forwarded-Proto': 'https' } })
    const read: DeployedAccount['read'] = (path) =>
      sendRequest('GET', apiUrl + path, { key, headers: { 'X-Forwarded-Proto': 'https' } })
    const store = await send(contract.stores.create.path, { name: 'Shop' })
    const { id: storeId } = contract.stores.create.response.parse(store.body)
    const deployed = await send(contract.plugins.deploy.path, deployBody(storeId, deployment))
    const { deploymentId, url } = contract.plugins.deploy.response.parse(deployed.body)
    if (deploymentId === null) throw new Error('Its assets are missing.')
    return { storeId, deploymentId, url, send, read }
  }
  return { apiUrl, logged, clock, account }
}
