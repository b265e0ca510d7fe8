import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { visit } from '../../../test/plugins/visit.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const { domains, removeDomain } = contract.pluginManagement

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const promote = (body: object) => platform().call(contract.plugins.promoteToCustomDomain, { body })
  const list = async () => {
    const { routes } = await platform().call(domains, { query: { storeId: platform().local.storeId } })
    return routes.map(({ hostname, path }) => hostname + path)
  }
  const send = (body: object, key?: string) =>
    platform().request('POST', removeDomain.path, { body, ...(key !== undefined && { key }) })

  test('a plugin is taken off one place of a domain, which serves nothing there any more and can come back', async () => {
    const { storeId } = platform().local
    const { id, pluginId } = await deployPlugin(platform())
    const host = `taken-${engine}.example.com`
    const { route } = await promote({ deploymentId: id, customDomain: host, basePath: '/shop' })
    await promote({ pluginId, storeId, hostname: host, path: '/' })
    expect(await list()).toEqual([`${host}/`, `${host}/shop`])
    const removed = await platform().call(removeDomain, {
      body: { storeId, hostname: host.toUpperCase(), path: 'shop/' },
    })
    expect(removed).toEqual({ success: true, route })
    expect(await list()).toEqual([`${host}/`])
    await platform().call(removeDomain, { body: { storeId, hostname: host } })
    expect((await visit(platform(), { host })).status).toBe(421)
    const [event] = await platform().services.db.read(
      "SELECT properties FROM events WHERE event_type = 's_domain_route_removed' AND properties <> replace(properties, ?, '')",
      [route.id],
    )
    const properties = { routeId: route.id, hostname: host, path: '/shop', pluginId, deploymentId: id }
    expect(JSON.parse(String(event?.['properties']))).toEqual(properties)
    const [owner] = await platform().services.db.read('SELECT account_id FROM domain_hostnames WHERE hostname = ?', [
      host,
    ])
    expect(owner).toBeUndefined()
    expect((await promote({ deploymentId: id, customDomain: host })).route.id).not.toBe(route.id)
  })

  test('a place that is free, of another store or of another account is not found', async () => {
    const { local, call, addAccount } = platform()
    const { id } = await deployPlugin(platform())
    const host = `kept-${engine}.example.com`
    await promote({ deploymentId: id, customDomain: host })
    const { id: otherStore } = await call(contract.stores.create, { body: { name: 'Other' } })
    const { apiKey } = await addAccount()
    const answers = [
      await send({ storeId: local.storeId, hostname: `free-${engine}.example.com` }),
      await send({ storeId: local.storeId, hostname: host, path: '/other' }),
      await send({ storeId: otherStore, hostname: host }),
      await send({ storeId: local.storeId, hostname: host }, apiKey),
      await send({ storeId: local.storeId, hostname: '10.0.0.1' }),
    ]
    expect(answers.map(({ status, error }) => [status, error.code, error.param])).toEqual([
      [404, 'resource_missing', 'hostname'],
      [404, 'resource_missing', 'hostname'],
      [404, 'resource_missing', 'hostname'],
      [404, 'resource_missing', 'storeId'],
      [400, 'parameter_invalid', 'hostname'],
    ])
    expect(await list()).toContain(`${host}/`)
  })

  it('of a removal and a switch at once, one finds what the other has left', async () => {
    const { storeId } = platform().local
    const first = await deployPlugin(platform())
    const second = await deployPlugin(platform(), { manifest: { pluginId: first.pluginId, version: '2.0.0' } })
    const hostname = `raced-${engine}.example.com`
    await promote({ deploymentId: first.id, customDomain: hostname })
    const [removed, switched] = await Promise.all([
      send({ storeId, hostname }),
      promote({ deploymentId: second.id, customDomain: hostname }),
    ])
    expect([removed.status, switched.route.deploymentId]).toEqual([200, second.id])
    const served = (await list()).includes(`${hostname}/`)
    const { status } = await send({ storeId, hostname })
    expect(status).toBe(served ? 200 : 404)
  })
})
