import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { visit } from '../../../test/plugins/visit.ts'
import { sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const { takeOffline, bringOnline, remove, setAlias, view } = contract.pluginManagement

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const of = (deploymentId: string) => ({ params: { deploymentId } })
  const eventsOf = async (id: string) => {
    const sql = `SELECT event_type FROM events WHERE properties LIKE ? AND event_type IN (
      's_plugin_deployment_hidden', 's_plugin_deployment_shown') ORDER BY id`
    return (await platform().services.db.read(sql, [`%${id}%`])).map((row) => row['event_type'])
  }

  test('the only version of a page is taken offline at each of its addresses, and shown again', async () => {
    const { call, clock, local } = platform()
    const { id, url, pluginId } = await deployPlugin(platform())
    const { alias } = await call(setAlias, { body: { storeId: local.storeId, name: 'sale', pluginId } })
    const domain = { customDomain: `${engine}.offline.example`, deploymentId: id }
    await call(contract.plugins.promoteToCustomDomain, { body: domain })
    const hosts = [new URL(url).hostname, new URL(alias.url).hostname, domain.customDomain]
    const pages = () => Promise.all(hosts.map((host) => visit(platform(), { host })))
    const statuses = async () => (await pages()).map(({ status }) => status)
    expect(await statuses()).toEqual([200, 200, 200])

    const since = new Date(clock.now()).toISOString()
    const off = await call(takeOffline, of(id))
    expect(off.deployment).toMatchObject({ id, state: 'active', active: true, offlineSince: since })
    expect(await statuses()).toEqual([410, 410, 410])
    for (const { text } of await pages()) expect(text).toContain('The shop has taken it offline.')
    expect((await visit(platform(), { host: hosts[0] ?? '', path: '/index.html' })).status).toBe(410)
    clock.advance(1_000)
    expect((await call(takeOffline, of(id))).deployment.offlineSince).toBe(since)
    expect((await call(view, of(id))).deployment.offlineSince).toBe(since)

    expect((await call(bringOnline, of(id))).deployment).toMatchObject({ state: 'active', offlineSince: null })
    expect((await call(bringOnline, of(id))).deployment.offlineSince).toBeNull()
    expect(await statuses()).toEqual([200, 200, 200])
    expect(await eventsOf(id)).toEqual(['s_plugin_deployment_hidden', 's_plugin_deployment_shown'])
  })

  test('the next version is shown, and the one that is offline stays so until it is brought online', async () => {
    const { call, local } = platform()
    const { id, url, pluginId } = await deployPlugin(platform())
    const { alias } = await call(setAlias, { body: { storeId: local.storeId, name: 'next', pluginId } })
    const status = async (at: string) => (await visit(platform(), { host: new URL(at).hostname })).status
    await call(takeOffline, of(id))
    const next = await deployPlugin(platform(), { manifest: { pluginId, version: '2.0.0' } })
    expect([await status(alias.url), await status(next.url), await status(url)]).toEqual([200, 200, 410])
    await call(contract.pluginManagement.rollback, { body: { storeId: local.storeId, pluginId } })
    expect([await status(alias.url), await status(next.url), await status(url)]).toEqual([410, 200, 410])
  })

  test('what was removed is not taken offline, and what is offline can be removed once another version is used', async () => {
    const { call, request } = platform()
    const { id, pluginId } = await deployPlugin(platform())
    await call(takeOffline, of(id))
    await deployPlugin(platform(), { manifest: { pluginId, version: '2.0.0' } })
    expect((await call(remove, of(id))).deployment).toMatchObject({ state: 'removed' })
    for (const name of ['take-offline', 'bring-online']) {
      const { status, error } = await request('POST', `/api/plugins/v1/deployments/${id}/${name}`)
      expect([status, error.code, error.param]).toEqual([409, 'state_conflict', 'deploymentId'])
    }
  })
})
