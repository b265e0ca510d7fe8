import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { deployBody, deployPlugin } from '../test/plugins/deploy-plugin.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// The attacker is a developer who is limited to one store, and puts their own pages where buyers of another store of the
// account go to pay: at its place, below it, or beside it, where the browser sees one origin.

const platform = sharedPlatform()
const { promoteToCustomDomain, deploy } = contract.plugins

test('a member of one store puts no page on a domain that shows pages of another', async () => {
  const { call, request, local } = platform()
  const victim = await deployPlugin(platform())
  const customDomain = 'shop.victim.example.com'
  await call(promoteToCustomDomain, { body: { deploymentId: victim.id, customDomain, basePath: '/shop' } })
  const own = await call(contract.stores.create, { body: { name: 'Attackers' } })
  const deploymentId = (await call(deploy, { body: deployBody(own.id) })).deploymentId ?? ''
  const { token } = await placeMember(platform(), { role: 'developer', storeIds: [own.id] })
  const promote = (body: object) =>
    request('POST', promoteToCustomDomain.path, { key: '', headers: consoleHeaders(platform(), token), body })
  for (const basePath of ['/shop', '/shop/pay', '/', '/beside']) {
    const { status, error } = await promote({ deploymentId, customDomain, basePath })
    expect([basePath, status, error.code, error.param]).toEqual([basePath, 403, 'scope_missing', 'customDomain'])
  }
  const { routes } = await call(contract.pluginManagement.domains, { query: { storeId: local.storeId } })
  expect(routes.filter(({ hostname }) => hostname === customDomain)).toMatchObject([{ deploymentId: victim.id }])

  // What a member of all stores lets them show beside pages of others stays theirs to switch.
  const shared = { deploymentId, customDomain: 'shared.example.com' }
  expect((await promote(shared)).status).toBe(201)
  await call(promoteToCustomDomain, { body: { ...shared, deploymentId: victim.id, basePath: '/other' } })
  const newer = (await call(deploy, { body: deployBody(own.id) })).deploymentId ?? ''
  expect((await promote({ ...shared, deploymentId: newer })).status).toBe(200)
  expect((await promote({ ...shared, basePath: '/new' })).status).toBe(403)
})
