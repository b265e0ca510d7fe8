import { bankSimulator } from '@tillwright/bank-simulator'
import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { dataIn, visit } from '../../../test/plugins/visit.ts'
import { sharedPlatform, startTestPlatform } from '../../../test/test-platform.ts'
import { addressBlock } from '../../runtime/addresses.ts'
import { keepWallet } from '../../vault/wallet-settings.ts'
import { commit } from '../operations/commit.ts'

const limited = sharedPlatform({ rateLimits: true })

test('an address with very many requests is told to wait, by a page that looks right, and others are not', async () => {
  const { services, clock, apiUrl } = limited()
  const { url } = await deployPlugin(limited(), {
    inlineAssets: [
      { path: 'index.html', content: '<!doctype html><title>Shop</title>' },
      { path: 'app-QK2WMH3F.js', content: 'pay()' },
    ],
  })
  const host = new URL(url).host
  // As after six thousand requests in one moment.
  const subject = `plugin-pages:${addressBlock('127.0.0.1')}`
  const fullAtUs = (clock.now() + 60_000) * 1_000
  await services.db.write([{ sql: 'INSERT INTO rate_buckets VALUES (?, ?)', params: [subject, fullAtUs] }])
  for (const path of ['/', '/app-QK2WMH3F.js', '/none']) {
    const answer = await visit(limited(), { host, path })
    expect([answer.status, answer.headers['retry-after'], answer.headers['cache-control']]).toEqual([
      429,
      '1',
      'no-store',
    ])
    expect(answer.text).toContain('That was a little fast')
  }
  expect((await fetch(`${apiUrl}/healthz`)).status).toBe(200)
  clock.advance(1_000)
  expect((await visit(limited(), { host })).status).toBe(200)
})

const ASSOCIATION = '/.well-known/apple-developer-merchantid-domain-association'
const plain = sharedPlatform()

test("a plugin's host serves the file by which Apple knows its domain, of its own account alone", async () => {
  const { services, local } = plain()
  const content = '<!doctype html><title>Shop</title>'
  const { url } = await deployPlugin(plain(), { inlineAssets: [{ path: 'index.html', content }] })
  const { host } = new URL(url)
  const ask = () => visit(plain(), { host, path: ASSOCIATION })
  expect((await ask()).status).toBe(404)
  const [apple] = bankSimulator.wallets.merchants
  const settings = { ...apple.settings, domainAssociation: '7B227073704964' }
  const keep = (accountId: string) =>
    commit([keepWallet({ accountId, settings, secrets: apple.secrets }, { nowMs: 0, services })], services)
  await keep('acc_another')
  expect((await ask()).status).toBe(404)
  await keep(local.accountId)
  const { status, text, headers } = await ask()
  expect([status, text, headers['content-type']]).toEqual([200, '7B227073704964', 'text/plain; charset=utf-8'])
  expect((await visit(plain(), { host: new URL(plain().apiUrl).host, path: ASSOCIATION })).status).toBe(404)
})

test("a page's own host answers what its session asks, and nothing else of the API", async () => {
  const content = '<!doctype html><title>Shop</title>'
  const { url } = await deployPlugin(plain(), { inlineAssets: [{ path: 'index.html', content }] })
  const { host, origin } = new URL(url)
  const { apiUrl, publishableKey, storeId } = dataIn((await visit(plain(), { host })).text)
  expect(apiUrl).toBe(origin)
  const begin = (asking: string, to = host) =>
    visit(plain(), {
      host: to,
      path: contract.session.begin.path,
      method: 'POST',
      headers: {
        Authorization: `Bearer ${String(publishableKey)}`,
        'Content-Type': 'application/json',
        Origin: asking,
      },
      body: JSON.stringify({ storeId }),
    })
  const begun = await begin(origin)
  expect(begun.status).toBe(201)
  const { token, session } = JSON.parse(begun.text)
  // A browser names no origin where it reads from the page's own.
  const headers = { Authorization: `Bearer ${token}` }
  const read = await visit(plain(), { host, path: contract.session.get.path, headers })
  expect(JSON.parse(read.text)).toMatchObject({ sessionId: session.sessionId })

  expect((await begin('https://evil.example')).status).toBe(401)
  const preflight = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }
  const asked = await visit(plain(), { host, path: contract.session.begin.path, method: 'OPTIONS', headers: preflight })
  expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([405, undefined])
  expect((await begin(origin, 'elsewhere.example')).status).toBe(421)
  for (const path of [contract.payments.list.path, '/api/session/v2/x', '/api/session/v1/x'])
    expect((await visit(plain(), { host, path, headers })).status, path).toBe(404)
  const dots = '/api/session/v1/../../payments/v1/payments' // no address of a page
  expect((await visit(plain(), { host, path: dots, headers })).status).toBe(400)
})

test('a proxy is told to get certificates for domains that a plugin is promoted to, and for no others', async () => {
  const content = '<!doctype html><title>Shop</title>'
  const { id, url } = await deployPlugin(plain(), { inlineAssets: [{ path: 'index.html', content }] })
  const ask = async (query: string) => (await fetch(`${plain().apiUrl}/certificates/ask${query}`)).status
  expect(await ask('?domain=pay.certified.example')).toBe(404)
  const customDomain = 'pay.certified.example'
  await plain().call(contract.plugins.promoteToCustomDomain, { body: { deploymentId: id, customDomain } })
  expect(await ask('?domain=pay.certified.example')).toBe(200)
  expect(await ask('?domain=PAY.Certified.example.')).toBe(200)
  for (const other of ['certified.example', 'x.pay.certified.example', new URL(url).hostname, 'localhost'])
    expect([other, await ask(`?domain=${other}`)]).toEqual([other, 404])
  for (const none of ['', '?domain=', '?domain=127.0.0.1', '?domain=a%20b.example', '?domain=%27--'])
    expect([none, await ask(none)]).toEqual([none, 400])
  expect((await visit(plain(), { host: customDomain, path: '/certificates/ask?domain=x.example' })).text).not.toContain(
    'promoted',
  )
})

test('strangers who make a proxy ask for many names do not keep it from asking for the next', async () => {
  const production = await startTestPlatform({ environment: 'production', rateLimits: true })
  onTestFinished(() => production.remove())
  const subject = `plugin-pages:${addressBlock('127.0.0.1')}`
  const fullAtUs = (production.clock.now() + 60_000) * 1_000
  await production.services.db.write([{ sql: 'INSERT INTO rate_buckets VALUES (?, ?)', params: [subject, fullAtUs] }])
  const ask = async (headers = {}) =>
    (await production.request('GET', '/certificates/ask?domain=x.example', { key: '', headers })).status
  expect(await ask({ 'X-Forwarded-For': '127.0.0.1' })).toBe(429)
  expect(await ask()).toBe(404)
})
