import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { deployPlugin } from '../../test/plugins/deploy-plugin.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'

const { plugins, activate, rollback, view } = contract.pluginManagement

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const listed = async (pluginId: string) => {
    const { data } = await platform().call(plugins, { query: { storeId: platform().local.storeId, pluginId } })
    return data[0]
  }

  test('a store’s plugins tell what is live of them, where, since when, and who made it so', async () => {
    const { call, clock, local } = platform()
    const { pluginId, id: first } = await deployPlugin(platform(), { manifest: { name: 'Shop one' } })
    await call(contract.plugins.promoteToCustomDomain, {
      body: { pluginId, storeId: local.storeId, hostname: `${engine}.plugins.example.com` },
    })
    clock.advance(1_000)
    const second = await deployPlugin(platform(), { manifest: { pluginId, name: 'Shop two', version: '2.0.0' } })
    const now = new Date(clock.now()).toISOString()
    const key = { kind: 'key', id: expect.any(String), name: expect.any(String) }
    expect(await listed(pluginId)).toMatchObject({
      pluginId,
      storeId: local.storeId,
      name: 'Shop two',
      active: { id: second.id, state: 'active', deployedBy: key },
      activatedAt: now,
      activatedBy: key,
      newest: { id: second.id },
      routes: [{ hostname: `${engine}.plugins.example.com`, deploymentId: second.id }],
    })
    clock.advance(1_000)
    await call(activate, { params: { deploymentId: first } }, local.apiKey)
    const back = await listed(pluginId)
    expect([back?.name, back?.active?.id, back?.newest.id]).toEqual(['Shop one', first, second.id])
    expect([back?.activatedAt, back?.activatedBy?.id]).toEqual([
      new Date(clock.now()).toISOString(),
      expect.not.stringMatching(back?.active?.deployedBy.id ?? ''),
    ])
    const { deployment } = await call(view, { params: { deploymentId: first } })
    expect(deployment.deployedBy).toEqual(back?.active?.deployedBy)
  })

  test('what was never active has no live deployment, and the list has pages in the order of ids', async () => {
    const { call } = platform()
    const store = await call(contract.stores.create, { body: { name: 'Store of its own' } })
    for (const pluginId of ['b-plugin', 'a-plugin', 'c-plugin']) {
      const manifest = { pluginId: `${engine}-${pluginId}`, activate: false }
      await deployPlugin(platform(), { storeId: store.id, manifest, activate: false })
    }
    const page = (after?: string) => call(plugins, { query: { storeId: store.id, limit: 2, ...(after && { after }) } })
    const first = await page()
    expect(first.data).toMatchObject([
      { pluginId: `${engine}-a-plugin`, active: null, activatedAt: null, activatedBy: null, routes: [] },
      { pluginId: `${engine}-b-plugin`, newest: { state: 'idle' } },
    ])
    const rest = await page(first.nextCursor ?? '')
    expect([rest.data.map(({ pluginId }) => pluginId), rest.hasMore]).toEqual([[`${engine}-c-plugin`], false])
  })

  test('a dry run of a rollback says what would be active, and changes nothing', async () => {
    const { call, local } = platform()
    const { pluginId, id } = await deployPlugin(platform())
    const second = await deployPlugin(platform(), { manifest: { pluginId, version: '2.0.0' } })
    const body = { storeId: local.storeId, pluginId, dryRun: true }
    const answer = await call(rollback, { body })
    expect([answer.deployment.id, answer.formerDeploymentId]).toEqual([id, second.id])
    expect((await listed(pluginId))?.active?.id).toBe(second.id)
  })

  test('settings of a deployment that another one has replaced can still be read', async () => {
    const { call } = platform()
    const { pluginId, id } = await deployPlugin(platform())
    await call(contract.plugins.syncConfig, { body: { deploymentId: id, schema: { type: 'object', title: 'Old' } } })
    await deployPlugin(platform(), { manifest: { pluginId, own: 2 }, overwrite: true })
    const settings = await call(contract.pluginManagement.settings, { params: { deploymentId: id }, query: {} })
    expect(settings.schema).toEqual({ type: 'object', title: 'Old' })
  })
})
