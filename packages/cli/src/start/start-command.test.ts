import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createClient } from '@tillwright/client'
import type { LocalFile } from '@tillwright/platform'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../.ci/free-port.ts'
import { runCommand } from '../testing/run-command.ts'
import { tillwright } from '../testing/tillwright.ts'
import { holdPort } from './shop-address.ts'
import { banner } from './start-command.ts'

const SHOP = /^ *Shop /m

/** Responds with its environment, and exits on request. */
const shopServer = `require('node:http').createServer((request, response) => {
  if (request.url === '/end') process.exit(3)
  response.end(JSON.stringify({ pid: process.pid, env: process.env }))
}).listen(process.env.PORT, 'localhost')`

async function listenOn(port = 0): Promise<Server> {
  const server = createServer().listen(port, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return server
}

const portOf = (server: Server) => (server.address() as AddressInfo).port // it listens on TCP

const freeShopUrl = async () => `http://localhost:${await freePort()}`

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('start shows all addresses, refuses a second one in its folder, and Ctrl-C ends it with code 0 and removes local.json', async () => {
  const run = await tillwright(['start'])
  await run.ready()
  const local = await run.local()
  const { out } = run.printed()
  for (const shown of [
    'Tillwright is running.',
    local.apiUrl,
    `${local.apiUrl}/docs`,
    `${local.apiUrl}/acs/timeline`,
    local.vaultUrl,
    local.apiKey,
    '4242 4242 4242 4242',
  ]) {
    expect(out).toContain(shown)
  }
  expect(out).not.toMatch(SHOP)
  expect(local).toMatchObject({ shopUrl: null, pid: run.child.pid })

  const second = await tillwright(['start'], {}, run.folder)
  expect(await second.ended).toBe(1)
  expect(second.printed().err.trim().split('\n')).toHaveLength(1)
  expect(second.printed().err).toContain(`${local.apiUrl}, process ${run.child.pid}. Stop it with Ctrl-C`)
  expect(await run.local()).toEqual(local)
  expect((await fetch(`${local.apiUrl}/readyz`)).status).toBe(200)

  run.child.kill('SIGINT')

  expect(await run.ended).toBe(0)
  await expect(run.local()).rejects.toThrow('ENOENT')
  await expect(fetch(local.apiUrl)).rejects.toThrow()
  expect(run.printed().err).toBe('')
  const log = await readFile(join(run.folder, 'platform.log'), 'utf8')
  expect(log).toContain('platform started')
  expect(log.trim().split('\n').at(-1)).toContain('platform stopped')
})

test('a shop next to it has its keys, below a path too, a moved clock is reported, and SIGTERM ends both', async () => {
  const shopUrl = `${await freeShopUrl()}/mugs`
  const home = await mkdtemp(join(tmpdir(), 'tillwright-'))
  await writeFile(join(home, 'clock.json'), JSON.stringify({ aheadMs: 64 * 24 * 60 * 60 * 1_000 }))
  const run = await tillwright(['start', '--shop', shopUrl, '--', process.execPath, '-e', shopServer], {}, home)
  await run.ready()
  expect(run.printed().out).toContain("The platform's clock is 64 d ahead: it is 20")
  expect(run.printed().out).toContain('delete .tillwright/')
  const local = await run.local()
  expect(local.shopUrl).toBe(shopUrl)
  expect(run.printed().out).toContain(shopUrl)
  const { pid, env } = JSON.parse(await (await fetch(shopUrl)).text())
  expect(env).toMatchObject({
    TILLWRIGHT_API_URL: local.apiUrl,
    TILLWRIGHT_VAULT_URL: local.vaultUrl,
    TILLWRIGHT_API_KEY: local.apiKey,
    TILLWRIGHT_PUBLISHABLE_KEY: local.publishableKey,
    TILLWRIGHT_STORE_ID: local.storeId,
    TILLWRIGHT_PRODUCT_ID: local.productId,
    TILLWRIGHT_WEBHOOK_SECRET: local.webhookSecret,
  })
  expect(JSON.stringify(env)).not.toContain(local.adminApiKey)
  const { data } = await createClient({ apiKey: local.adminApiKey, baseUrl: local.apiUrl }).webhookEndpoints.list({})
  expect(data.map(({ url }) => url)).toEqual([`${shopUrl}/webhooks`])

  run.child.kill('SIGTERM')

  expect(await run.ended).toBe(0)
  expect(isAlive(pid)).toBe(false)
})

test('when the shop exits, everything ends with its exit code', async () => {
  const shopUrl = await freeShopUrl()
  const run = await tillwright(['start', '--shop', shopUrl, '--', process.execPath, '-e', shopServer])
  await run.ready()
  await fetch(`${shopUrl}/end`).catch(() => {}) // it exits instead of responding
  expect(await run.ended).toBe(3)
  await expect(run.local()).rejects.toThrow('ENOENT')
})

test.for([
  ['ends at once', [process.execPath, '-e', 'process.exit(4)'], 'exited with code 4 before it responded'],
  ['is not there', ['no-such-program'], '"no-such-program" exited with code 127 before it responded'],
] as const)('a shop that %s is reported in one line, and nothing is left running', async ([, command, message]) => {
  const run = await tillwright(['start', '--shop', await freeShopUrl(), '--', ...command])
  expect(await run.ended).not.toBe(0)
  expect(run.printed().err).toContain(message)
  expect(run.printed().err.trim().split('\n')).toHaveLength(1)
})

test('a taken port is reported, and the next free one is used', async () => {
  // Next to each other, so that the platform and the shop look for the same free port.
  const [api, shop] = [await listenOn(await freePort()), await listenOn(await freePort())]
  const run = await tillwright(
    ['start', '--shop', `http://localhost:${portOf(shop)}`, '--', process.execPath, '-e', shopServer],
    {
      TILLWRIGHT_PORT: String(portOf(api)),
    },
  )
  await run.ready()
  const local = await run.local()
  const { out } = run.printed()
  expect(out).toContain(`Port ${portOf(api)} is taken; using ${local.apiUrl} instead.`)
  expect(out).toContain(`Port ${portOf(shop)} is taken; using ${local.shopUrl} instead.`)
  run.child.kill('SIGTERM')
  expect(await run.ended).toBe(0)
})

test.for([
  ['a setting that is wrong', { TILLWRIGHT_PORT: 'http' }, 'TILLWRIGHT_PORT: '],
  ['a host of its own', { TILLWRIGHT_HOST: '0.0.0.0' }, 'TILLWRIGHT_HOST: '],
] as const)('%s is reported in one line, with code 1', async ([, env, message]) => {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const { code, err } = await runCommand(['start'], { TILLWRIGHT_HOME: home, ...env })
  expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(`^error ${message}[^\n]+\n$`))])
})

test('a shop without a scheme is refused with an example', async () => {
  const { code, err } = await runCommand(['start', '--shop', 'localhost:3000'], {})
  expect([code, err]).toEqual([2, expect.stringContaining('such as http://localhost:3000')])
})

test('if the vault finds no port, the API’s port is released and the command ends', async () => {
  await listenOn(65_535).catch(() => {}) // taken either way
  const run = await tillwright(['start'], { TILLWRIGHT_VAULT_PORT: '65535' })
  expect(await run.ended).toBe(1)
  expect(run.printed().err).toMatch(/^error .*localhost:65535.*TILLWRIGHT_VAULT_PORT\.\n$/)
})

const local: LocalFile = {
  apiUrl: 'http://localhost:4400',
  vaultUrl: 'http://localhost:4401',
  shopUrl: null,
  apiKey: 'test_sk_1',
  adminApiKey: 'test_sk_admin',
  publishableKey: 'test_pk_1',
  accountId: 'acc_1',
  storeId: 'store_1',
  productId: 'product_1',
  paymentFlowId: 'flow_1',
  funnelId: 'funnel_1',
  stepId: 'step_1',
  webhookSecret: 'whsec_1',
  pid: 1,
}
const shown = (change: Partial<LocalFile>, moves: string[] = []) =>
  stripVTControlCharacters(
    banner(
      { ...local, ...change },
      {
        moves,
        logFile: 'elsewhere/platform.log',
        localFile: 'elsewhere/local.json',
        memberLink: null,
        nowMs: 0,
        aheadMs: 0,
      },
    ),
  )

test('the banner has what a developer needs, but not the admin key and the webhook secret', () => {
  const text = shown({ shopUrl: 'http://localhost:4410' })
  for (const part of [
    'http://localhost:4410',
    'http://localhost:4400/guide/',
    'http://localhost:4400/docs',
    'http://localhost:4401',
    'test_sk_1',
    'elsewhere/platform.log',
    'elsewhere/local.json',
  ]) {
    expect(text).toContain(part)
  }
  for (const secret of ['test_sk_admin', 'whsec_1']) expect(text).not.toContain(secret)
})

test('without a shop there is no line for one', () => {
  expect(shown({})).not.toMatch(SHOP)
  expect(shown({ shopUrl: 'http://localhost:4410' })).toMatch(SHOP)
})

test('a taken port is reported first', () => {
  expect(shown({}, ['Port 4400 is taken.'])).toMatch(/^note Port 4400 is taken\.\n/)
})

test('a free port is used as requested and held until the shop starts, and a taken one is skipped', async () => {
  const taken = await freePort()
  await listenOn(taken)
  const first = await holdPort('localhost', taken)
  expect(first.port).toBeGreaterThan(taken)
  const second = await holdPort('localhost', first.port)
  expect(second.port).toBeGreaterThan(first.port)
  await first.release()
  const third = await holdPort('localhost', first.port)
  expect(third.port).toBe(first.port)
  await Promise.all([second, third].map(({ release }) => release()))
})

test('a tab open at the shop’s address does not block its port', async () => {
  const held = await holdPort('localhost', await freePort())
  const tab = connect(held.port, 'localhost').on('error', () => {})
  const [hadError] = await once(tab.resume(), 'close')
  expect(hadError).toBe(false)
  const tabs = Array.from({ length: 5 }, () => connect(held.port, 'localhost').on('error', () => {}))
  onTestFinished(() => tabs.forEach((each) => each.destroy()))
  await Promise.all(tabs.map((each) => once(each, 'connect')))
  await held.release()
})
