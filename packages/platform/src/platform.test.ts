import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { bankSimulator } from '@tillwright/bank-simulator'
import { contract } from '@tillwright/contract'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../.ci/free-port.ts'
import { requestPayment, serviceToken } from '../test/pay-with-card.ts'
import { sendRequest } from '../test/send-request.ts'
import { startTestPlatform, type TestPlatform, type TestPlatformOptions } from '../test/test-platform.ts'
import { readConfig } from './config.ts'
import { withKeys } from './platform-keys.ts'
import { type Platform, startPlatform } from './platform.ts'

const TEST_KEY = '/api/public/v1/auth/test'

async function started(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const platform = await startTestPlatform(options)
  onTestFinished(() => platform.remove())
  return platform
}

/** A platform as it runs behind a proxy that ends HTTPS. */
async function startDevelopment(): Promise<{ platform: Platform; logged: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'development-'))
  const config = readConfig({
    TILLWRIGHT_ENVIRONMENT: 'development',
    TILLWRIGHT_HOME: folder,
    TILLWRIGHT_HOST: '127.0.0.1',
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
    TILLWRIGHT_API_URL: 'https://api.shop.example',
    TILLWRIGHT_VAULT_URL: 'https://vault.shop.example',
    TILLWRIGHT_PLUGINS_URL: 'https://plugins.shop-pages.example',
    TILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    TILLWRIGHT_DRAIN_SECONDS: '0',
    TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64'),
    TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
  })
  const logged: string[] = []
  const log = pino({}, { write: (line) => void logged.push(line) })
  const platform = await startPlatform(withKeys(config), { log })
  onTestFinished(async () => {
    await platform.stop()
    await rm(folder, { recursive: true })
  })
  return { platform, logged }
}

test('it is alive and ready, and says no more than that', async () => {
  const { request: send } = await started()
  expect((await send('GET', '/healthz', { key: '' })).body).toMatchObject({ status: 'ok' })
  expect((await send('GET', '/readyz', { key: '' })).body).toEqual({ status: 'ready' })
})

test('without its database it is alive but not ready, and answers 503, which is not kept as the answer to a key', async () => {
  const platform = await started()
  const { request: send, services } = platform
  await services.db.close()
  expect((await send('GET', '/healthz', { key: '' })).status).toBe(200)
  expect((await send('GET', '/readyz', { key: '' })).status).toBe(503)
  const sent = { body: { name: 'Shop' }, headers: { 'Idempotency-Key': 'k' } }
  const answer = await send('POST', '/api/public/v1/stores/create', sent)
  expect(answer.status).toBe(503)
  expect(answer.error.code).toBe('unavailable')
  expect(answer.headers['retry-after']).toBe('1')
  await platform.restart()
  const later = await send('POST', '/api/public/v1/stores/create', sent)
  expect([later.status, later.headers['idempotent-replayed']]).toEqual([201, undefined])
})

test('a stop waits for the request under way, and then its ports are closed', async () => {
  const platform = await started()
  const headers = {
    Authorization: `Bearer ${platform.local.apiKey}`,
    'Content-Type': 'application/json',
    Expect: '100-continue',
  }
  const sent = request(`${platform.apiUrl}/api/public/v1/stores/create`, { method: 'POST', headers })
  const answered = once(sent, 'response')
  sent.flushHeaders()
  await once(sent, 'continue')
  const stopped = platform.stop()
  sent.end('{"name":"Last shop"}')
  const [response] = await answered
  expect([response.statusCode, await text(response)]).toEqual([201, expect.stringContaining('Last shop')])
  await stopped
  await expect(sendRequest('GET', `${platform.apiUrl}/healthz`)).rejects.toThrow('ECONNREFUSED')
  await expect(sendRequest('GET', platform.vaultUrl)).rejects.toThrow('ECONNREFUSED')
})

test('each request is a line of the log with its id, its answer, its account and the process, and without what it carried', async () => {
  const platform = await started()
  const token = await serviceToken(platform)
  const seen = platform.logged.length
  const body = { serviceToken: token, storeId: platform.local.storeId, customerData: { email: 'ada@example.com' } }
  const answer = await platform.request('POST', contract.paymentInstruments.createFromToken.path, { body })
  const lines = platform.logged.slice(seen).map((line) => JSON.parse(line))
  const line = lines.find(({ requestId }) => requestId === answer.headers['x-request-id'])
  expect(line).toMatchObject({
    method: 'POST',
    path: contract.paymentInstruments.createFromToken.path,
    status: 201,
    accountId: platform.local.accountId,
  })
  const processes = new Set(lines.map(({ process: name }) => name))
  expect([...processes]).toEqual([`${hostname()}:${process.pid}`])
  const log = platform.logged.join('')
  for (const secret of [
    token,
    'ada@example.com',
    '4242424242424242',
    platform.local.apiKey,
    platform.local.webhookSecret,
  ]) {
    expect(log).not.toContain(secret)
  }
})

test('two platforms with one seed and one clock answer the same requests with the same bytes', async () => {
  const [one, two] = [await started({ seed: 'a seed' }), await started({ seed: 'a seed' })]
  const other = await started({ seed: 'another seed' })
  const [first, second, third] = [await transcript(one), await transcript(two), await transcript(other)]
  expect(second).toEqual(first)
  expect(third).not.toEqual(first)
})

/** The answers to a run of requests, without the ports. */
async function transcript(platform: TestPlatform): Promise<string[]> {
  const { request: send, local, clock, apiUrl } = platform
  const answers = [
    await send('GET', TEST_KEY),
    await send('POST', '/api/public/v1/stores/create', { body: { name: 'Shop' } }),
  ]
  const token = await serviceToken(platform)
  const made = await send('POST', contract.paymentInstruments.createFromToken.path, {
    body: { serviceToken: token, storeId: local.storeId },
  })
  const { paymentInstrument } = contract.paymentInstruments.createFromToken.response.parse(made.body)
  clock.advance(1_000)
  for (let i = 0; i < 5; i++) {
    answers.push(await requestPayment(platform, { paymentInstrumentId: paymentInstrument.id }))
  }
  answers.push(await send('GET', '/nowhere'), made)
  return [token, ...answers.map((answer) => answer.text.replaceAll(apiUrl, 'http://platform'))]
}

test('behind a proxy, requests over HTTPS are served and any other is refused with an error as all have it', async () => {
  const { platform, logged } = await startDevelopment()
  expect(platform.apiUrl).toBe('https://api.shop.example')
  const { port } = JSON.parse(logged.find((line) => line.includes('platform started')) ?? '{}')
  const url = `http://127.0.0.1:${port}`
  const plain = await sendRequest('GET', `${url}${TEST_KEY}`)
  expect(plain.status).toBe(400)
  expect(plain.error).toMatchObject({ code: 'parameter_invalid', message: expect.stringContaining('HTTPS') })
  const secure = await sendRequest('GET', `${url}${TEST_KEY}`, { headers: { 'X-Forwarded-Proto': 'https' } })
  expect([secure.status, secure.error.code]).toEqual([401, 'api_key_missing'])
})

const ownKeys = {
  vaultKey: { kind: 'raw', key: hash('sha256', 'own key', 'buffer') },
  secretsKey: { kind: 'raw', key: hash('sha256', 'own secrets', 'buffer') },
} as const

test('production refuses a simulator before it opens anything', async () => {
  const home = join(tmpdir(), 'never-made')
  const config = readConfig({
    TILLWRIGHT_ENVIRONMENT: 'production',
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_API_URL: 'https://api.shop.example',
    TILLWRIGHT_VAULT_URL: 'https://vault.shop.example',
    TILLWRIGHT_PLUGINS_URL: 'https://plugins.shop-pages.example',
    TILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    TILLWRIGHT_DRAIN_SECONDS: '0',
    TILLWRIGHT_VAULT_KEY: ownKeys.vaultKey.key.toString('base64'),
    TILLWRIGHT_SECRETS_KEY: ownKeys.secretsKey.key.toString('base64'),
  })
  const starting = startPlatform({ ...config, ...ownKeys }, { simulator: bankSimulator })
  await expect(starting).rejects.toThrow('start "production" without one')
  expect(existsSync(home)).toBe(false)
})

test('local says what it needs where no simulator was handed in', async () => {
  const starting = startPlatform({ ...readConfig({}), ...ownKeys })
  await expect(starting).rejects.toThrow('install @tillwright/bank-simulator next to the platform')
})

test('a start that fails leaves nothing open', async () => {
  const port = await freePort()
  const settings = { TILLWRIGHT_HOME: import.meta.filename, TILLWRIGHT_METRICS_PORT: String(port) }
  const starting = startPlatform({ ...readConfig(settings), ...ownKeys }, { simulator: bankSimulator })
  await expect(starting).rejects.toThrow('because it is a file')
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
})

test('development runs without a simulator too: without its pages, tables and outcomes', async () => {
  const { platform, logged } = await startDevelopment()
  const tables = await platform.services.db.read("SELECT name FROM sqlite_master WHERE name LIKE 'acs%'", [])
  expect(tables).toEqual([])
  const { port } = JSON.parse(logged.find((line) => line.includes('platform started')) ?? '{}')
  const url = `http://127.0.0.1:${port}/acs/challenge/1/state`
  expect(await sendRequest('GET', url, { headers: { 'X-Forwarded-Proto': 'https' } })).toMatchObject({ status: 404 })
})
