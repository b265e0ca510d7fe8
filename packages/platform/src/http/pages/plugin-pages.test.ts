import { bankSimulator } from '@tillwright/bank-simulator'
import { expect, test } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { visit } from '../../../test/plugins/visit.ts'
import { sharedPlatform } from '../../../test/test-platform.ts'
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
