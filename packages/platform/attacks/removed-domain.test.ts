/*
 * The attacker: an account that once had a domain, and keeps it from its next owner by doing nothing; and an account that
 * waits for a domain to be taken off while its name still points here, to show pages of its own on it.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { insertAccount } from '../src/accounts/accounts.ts'
import { newApiKey } from '../src/accounts/api-keys.ts'
import { readConfig } from '../src/config.ts'
import { commit } from '../src/http/commit.ts'
import { startPlatform } from '../src/platform.ts'
import { manualClock } from '../src/runtime/clock.ts'
import { deployBody, deployPlugin } from '../test/plugins/deploy-plugin.ts'
import { visit } from '../test/plugins/visit.ts'
import { sendRequest } from '../test/send-request.ts'
import { sharedPlatform, testableEngines } from '../test/test-platform.ts'

const { promoteToCustomDomain } = contract.plugins
const { removeDomain } = contract.pluginManagement
const HOST = 'shop.sold.example'

/** Two accounts on a development platform, each with a deployment, and the zone of a domain that changes hands. */
async function twoAccounts() {
  const folder = await mkdtemp(join(tmpdir(), 'removed-domain-'))
  const vaultKey = randomBytes(32)
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
    TILLWRIGHT_VAULT_KEY: vaultKey.toString('base64'),
  })
  const logged: string[] = []
  const log = pino({}, { write: (line) => void logged.push(line) })
  const clock = manualClock(Date.UTC(2030, 0, 1))
  const zone: string[] = []
  const platform = await startPlatform({ ...config, vaultKey }, { clock, log, resolveTxt: async () => zone })
  onTestFinished(async () => {
    await platform.stop()
    await rm(folder, { recursive: true })
  })
  const { port } = JSON.parse(logged.find((line) => line.includes('platform started')) ?? '{}')
  const apiUrl = `http://127.0.0.1:${port}`
  const account = async (accountId: string) => {
    const { text: key, write } = newApiKey({ accountId, kind: 'secret' }, platform.services)
    await commit([insertAccount({ id: accountId, name: 'A', plan: 'standard' }, clock.now()), write], platform.services)
    const send = (path: string, body: object) =>
      sendRequest('POST', apiUrl + path, { body, key, headers: { 'X-Forwarded-Proto': 'https' } })
    const { id: storeId } = contract.stores.create.response.parse(
      (await send(contract.stores.create.path, { name: 'Shop' })).body,
    )
    const inlineAssets = [{ path: 'index.html', content: `<title>${accountId}</title>` }]
    const deployed = await send(contract.plugins.deploy.path, deployBody(storeId, { inlineAssets }))
    const { deploymentId } = contract.plugins.deploy.response.parse(deployed.body)
    return {
      promote: (path = '/') => send(promoteToCustomDomain.path, { deploymentId, customDomain: HOST, path }),
      remove: (path = '/') => send(removeDomain.path, { storeId, hostname: HOST, path }),
      proofIn: (message: string) => /to "(\S+)"/.exec(message)?.[1] ?? '',
    }
  }
  return {
    zone,
    first: await account('acc_first'),
    second: await account('acc_second'),
    visitHost: () => visit({ apiUrl }, { host: HOST }),
  }
}

test('a domain that was taken off goes to who proves it, and to nobody without proof, its former account included', async () => {
  const { zone, first, second, visitHost } = await twoAccounts()
  zone.push(first.proofIn((await first.promote()).error.message))
  expect((await first.promote()).status).toBe(200)
  expect((await visitHost()).text).toContain('<title>acc_first</title>')
  const early = await second.promote()
  expect([early.status, early.error.code]).toEqual([409, 'resource_exists'])

  expect((await first.remove()).status).toBe(200)
  const lurking = await second.promote() // the name points here, and the record is still the former account's
  expect([lurking.status, lurking.error.code]).toEqual([409, 'state_conflict'])
  zone.splice(0, 1, second.proofIn(lurking.error.message))
  const former = await first.promote()
  expect([former.status, former.error.code]).toEqual([409, 'state_conflict'])
  expect((await second.promote()).status).toBe(200)
  expect((await visitHost()).text).toContain('<title>acc_second</title>')
  const late = await first.promote()
  expect([late.status, late.error.code]).toEqual([409, 'resource_exists'])
})

test('a domain with another place left stays the account’s', async () => {
  const { zone, first, second } = await twoAccounts()
  zone.push(first.proofIn((await first.promote()).error.message))
  await first.promote()
  zone.splice(0)
  expect((await first.promote('/more')).status).toBe(200)
  await first.remove()
  zone.push(second.proofIn((await second.promote()).error.message))
  const taking = await second.promote('/other')
  expect([taking.status, taking.error.code]).toEqual([409, 'resource_exists'])
  await first.remove('/more')
  zone.splice(0, 1, second.proofIn((await second.promote()).error.message))
  expect((await second.promote('/other')).status).toBe(200)
})

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('of the last place taken off and another one promoted at once, no route is left without its claim', async () => {
    const { local, call, services } = platform()
    const { id } = await deployPlugin(platform())
    for (let round = 0; round < 10; round += 1) {
      const hostname = `raced-${round}.${engine}.example.com`
      await call(promoteToCustomDomain, { body: { deploymentId: id, customDomain: hostname } })
      await Promise.all([
        call(removeDomain, { body: { storeId: local.storeId, hostname } }),
        call(promoteToCustomDomain, { body: { deploymentId: id, customDomain: hostname, path: '/more' } }),
      ])
      const claims = await services.db.read('SELECT account_id FROM domain_hostnames WHERE hostname = ?', [hostname])
      expect(claims).toEqual([{ account_id: local.accountId }])
    }
  })
})
