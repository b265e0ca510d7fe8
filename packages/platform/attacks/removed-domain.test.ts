/*
 * The attacker: an account that once had a domain, and keeps it from its next owner by doing nothing; and an account that
 * waits for a domain to be taken off while its name still points here, to show pages of its own on it.
 */
import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { deployPlugin } from '../test/plugins/deploy-plugin.ts'
import { startDevelopment } from '../test/plugins/development-platform.ts'
import { visit } from '../test/plugins/visit.ts'
import { sharedPlatform, testableEngines } from '../test/test-platform.ts'

const { promoteToCustomDomain } = contract.plugins
const { removeDomain } = contract.pluginManagement
const HOST = 'shop.sold.example'

/** Two accounts on a development platform, each with a deployment, and the zone of a domain that changes hands. */
async function twoAccounts() {
  const zone: string[] = []
  const { apiUrl, account } = await startDevelopment(async () => zone)
  const owner = async (name: string) => {
    const inlineAssets = [{ path: 'index.html', content: `<title>${name}</title>` }]
    const { storeId, deploymentId, send } = await account({ inlineAssets })
    return {
      promote: (path = '/') => send(promoteToCustomDomain.path, { deploymentId, customDomain: HOST, path }),
      remove: (path = '/') => send(removeDomain.path, { storeId, hostname: HOST, path }),
      proofIn: (message: string) => /to "(\S+)"/.exec(message)?.[1] ?? '',
    }
  }
  return {
    zone,
    first: await owner('acc_first'),
    second: await owner('acc_second'),
    visitHost: () => visit({ apiUrl }, { host: HOST }),
  }
}

test('a removed domain goes to the account that proves it, and to none without proof, its former account included', async () => {
  const { zone, first, second, visitHost } = await twoAccounts()
  zone.push(first.proofIn((await first.promote()).error.message))
  expect((await first.promote()).status).toBe(201)
  expect((await visitHost()).text).toContain('<title>acc_first</title>')
  const early = await second.promote()
  expect([early.status, early.error.code]).toEqual([409, 'resource_exists'])

  expect((await first.remove()).status).toBe(200)
  const lurking = await second.promote() // the name points here, and the record is still the former account's
  expect([lurking.status, lurking.error.code]).toEqual([409, 'state_conflict'])
  zone.splice(0, 1, second.proofIn(lurking.error.message))
  const former = await first.promote()
  expect([former.status, former.error.code]).toEqual([409, 'state_conflict'])
  expect((await second.promote()).status).toBe(201)
  expect((await visitHost()).text).toContain('<title>acc_second</title>')
  const late = await first.promote()
  expect([late.status, late.error.code]).toEqual([409, 'resource_exists'])
})

test('a domain with another place left stays the account’s', async () => {
  const { zone, first, second } = await twoAccounts()
  zone.push(first.proofIn((await first.promote()).error.message))
  await first.promote()
  zone.splice(0)
  expect((await first.promote('/more')).status).toBe(201)
  await first.remove()
  zone.push(second.proofIn((await second.promote()).error.message))
  const taking = await second.promote('/other')
  expect([taking.status, taking.error.code]).toEqual([409, 'resource_exists'])
  await first.remove('/more')
  zone.splice(0, 1, second.proofIn((await second.promote()).error.message))
  expect((await second.promote('/other')).status).toBe(201)
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
