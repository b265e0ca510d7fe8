import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployBody, deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const { deployments, deploy } = contract.plugins

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const newStore = async () => (await platform().call(contract.stores.create, { body: { name: 'Shop' } })).id
  const list = async (storeId: string) => (await platform().call(deployments, { body: { storeId } })).deployments

  test('a store has no deployments at first', async () => {
    expect(await list(await newStore())).toEqual([])
  })

  test('the newest comes first, and of each plugin the newest is active', async () => {
    const { clock } = platform()
    const storeId = await newStore()
    const made = []
    for (const [pluginId, version] of [
      ['first', '2.0.0'],
      ['second', '1.0.0'],
      ['first', '1.0.0'],
    ] as const) {
      clock.advance(1_000)
      made.unshift(await deployPlugin(platform(), { storeId, manifest: { pluginId, version } }))
    }
    const listed = await list(storeId)
    expect(listed.map(({ id, active }) => [id, active])).toEqual(
      made.map(({ id, version, pluginId }) => [id, pluginId === 'second' || version === '1.0.0']),
    )
    expect(listed[0]).toEqual(made[0])
  })

  test('a deployment whose place another has taken is not listed', async () => {
    const storeId = await newStore()
    const first = await deployPlugin(platform(), { storeId, manifest: { pluginId: 'replaced' } })
    const second = await deployPlugin(platform(), {
      storeId,
      manifest: { pluginId: 'replaced', own: 2 },
      overwrite: true,
    })
    expect(await list(storeId)).toEqual([second])
    expect(second.id).not.toBe(first.id)
  })

  test('content that was deployed before becomes active again, as a rollback by deploying does', async () => {
    const storeId = await newStore()
    const manifest = { pluginId: 'back', name: 'Back' }
    const old = await deployPlugin(platform(), { storeId, manifest })
    const next = await deployPlugin(platform(), { storeId, manifest: { ...manifest, version: '1.1.0' } })
    const dry = { body: deployBody(storeId, { manifest, dryRun: true }) }
    expect((await platform().call(deploy, dry)).deployment).toMatchObject({ id: old.id, active: false })
    const kept = await deployPlugin(platform(), { storeId, manifest, activate: false })
    expect([kept.id, kept.active]).toEqual([old.id, false])
    expect((await list(storeId)).find(({ active }) => active)?.id).toBe(next.id)

    const again = await deployPlugin(platform(), { storeId, manifest })
    expect([again.id, again.active]).toEqual([old.id, true])
    expect((await list(storeId)).find(({ active }) => active)?.id).toBe(old.id)
    const rows = await platform().services.db.read(
      "SELECT properties FROM events WHERE store_id = ? AND event_type = 's_plugin_activated' ORDER BY id",
      [storeId],
    )
    const ids = rows.map(({ properties }) => JSON.parse(String(properties)).deploymentId)
    expect(ids.toSorted()).toEqual([old.id, next.id, old.id].toSorted())
    const { rollback } = contract.pluginManagement
    const back = await platform().call(rollback, { body: { storeId, pluginId: old.pluginId } })
    expect(back.deployment.id).toBe(next.id)
  })

  test('a deployment that can only answer 404 is kept and never used', async () => {
    const storeId = await newStore()
    const manifest = { pluginId: 'bare', name: 'Bare' }
    for (const inlineAssets of [[], [{ path: 'app.js', content: 'go()' }]]) {
      const bare = { storeId, manifest: { ...manifest, pluginId: `bare-${inlineAssets.length}` }, inlineAssets }
      const made = await deployPlugin(platform(), bare)
      expect((await deployPlugin(platform(), bare)).active).toBe(false)
      const path = `/api/plugins/v1/deployments/${made.id}/activate`
      const { status, error } = await platform().request('POST', path, {})
      expect([made.active, status, error.code, error.param]).toEqual([false, 409, 'state_conflict', 'deploymentId'])
    }
    const shown = await deployPlugin(platform(), { storeId, manifest })
    const newer = { ...manifest, version: '1.1.0' }
    expect((await deployPlugin(platform(), { storeId, manifest: newer, inlineAssets: [] })).active).toBe(false)
    const body = deployBody(storeId, { manifest, inlineAssets: [], overwrite: true })
    const replaced = await platform().request('POST', deploy.path, { body })
    expect([replaced.status, replaced.error.code, replaced.error.param]).toEqual([
      400,
      'parameter_invalid',
      'inlineAssets',
    ])
    expect((await list(storeId)).filter(({ active }) => active).map(({ id }) => id)).toEqual([shown.id])
  })

  it('what is activated while its version is overwritten stands for it, and takes settings', async () => {
    const storeId = await newStore()
    const manifest = { pluginId: 'moving', version: '1.0.0' }
    let standing = await deployPlugin(platform(), { storeId, manifest, activate: false })
    for (let round = 0; round < 12; round++) {
      const path = `/api/plugins/v1/deployments/${standing.id}/activate`
      const overwriting = { storeId, manifest: { ...manifest, own: round }, overwrite: true, activate: false }
      const [next] = await Promise.all([
        deployPlugin(platform(), overwriting),
        ...Array.from({ length: 3 }, () => platform().request('POST', path, {})),
      ])
      const listed = await list(storeId)
      expect(listed.filter(({ active }) => active)).toHaveLength(1)
      standing = listed.find(({ active }) => active) ?? next
      await deployPlugin(platform(), { storeId, manifest: { ...manifest, version: `2.0.${round}` } })
    }
  })

  it('of many deployments at once, one is active', async () => {
    const storeId = await newStore()
    const versions = Array.from({ length: 6 }, (_, n) => `1.0.${n}`)
    await Promise.all(
      versions.map((version) => deployPlugin(platform(), { storeId, manifest: { pluginId: 'many', version } })),
    )
    const listed = await list(storeId)
    expect(listed).toHaveLength(6)
    expect(listed.filter(({ active }) => active)).toHaveLength(1)
  })

  test('a store of another account is not there', async () => {
    const { addAccount, request, local } = platform()
    const { apiKey } = await addAccount()
    await deployPlugin(platform())
    const answer = await request('POST', deployments.path, { body: { storeId: local.storeId }, key: apiKey })
    expect([answer.status, answer.error.param]).toEqual([404, 'storeId'])
  })

  test('deploying and reading need a scope each', async () => {
    const { addKey, request, local } = platform()
    const reader = await addKey({ scopes: ['plugins:read'] })
    const read = await request('POST', deployments.path, { body: { storeId: local.storeId }, key: reader })
    expect(read.status).toBe(200)
    const write = await request('POST', deploy.path, { body: {}, key: reader })
    expect([write.status, write.error.code]).toEqual([403, 'scope_missing'])
  })
})
