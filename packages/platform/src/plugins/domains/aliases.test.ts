import { type CallOf, contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { visit } from '../../../test/plugins/visit.ts'
import { sharedPlatform, ruleEngines } from '../../../test/test-platform.ts'
import { aliasHost } from '../addresses.ts'

const { setAlias, removeAlias, aliases, activate, remove } = contract.pluginManagement

test('a store of another account has other hosts for its aliases, also under the same id', () => {
  const [one, other] = ['acc_1', 'acc_2'].map((accountId) => aliasHost('a'.repeat(35), { accountId, storeId: 'shop' }))
  expect(one).toMatch(/^a{35}--[a-z2-7]{26}$/)
  expect(one?.length).toBeLessThanOrEqual(63)
  expect(one).not.toBe(other)
})

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const storeId = () => platform().local.storeId
  const set = (body: Omit<CallOf<typeof setAlias>['body'], 'storeId'>) =>
    platform().call(setAlias, { body: { storeId: storeId(), ...body } })
  const titled = (title: string, pluginId?: string) =>
    deployPlugin(platform(), {
      manifest: { version: `${title}.0.0`, ...(pluginId && { pluginId }) },
      inlineAssets: [
        { path: 'index.html', content: `<title>v${title}</title>` },
        { path: `assets/only-AAAAAA${title}${title}.js`, content: `// ${title}` },
        { path: 'plain.txt', content: title },
      ].slice(0, title === '2' ? 3 : 2),
    })
  const visited = (url: string, path = '/') => visit(platform(), { host: new URL(url).host, path })

  test('an alias stays with its deployment, or follows what is active', async () => {
    const first = await titled('2')
    const pinned = (await set({ name: 'pinned', deploymentId: first.id })).alias
    const live = (await set({ name: 'live', pluginId: first.pluginId })).alias
    const second = await titled('3', first.pluginId)
    expect((await visited(pinned.url)).text).toContain('v2')
    expect((await visited(live.url)).text).toContain('v3')
    await platform().call(activate, { params: { deploymentId: first.id } })
    expect((await visited(live.url)).text).toContain('v2')
    const moved = (await set({ name: 'pinned', deploymentId: second.id })).alias
    expect(moved).toEqual({ ...pinned, deploymentId: second.id })
    expect((await visited(pinned.url)).text).toContain('v3')
    const listed = await platform().call(aliases, { query: { storeId: storeId() } })
    expect(listed.aliases).toEqual([{ ...live, deploymentId: first.id }, moved])
  })

  test('a page that was loaded before a switch finds its hashed files, and no other file of a former deployment', async () => {
    const first = await titled('2')
    const { url } = (await set({ name: 'switched', pluginId: first.pluginId })).alias
    const second = await titled('3', first.pluginId)
    expect((await visited(url)).text).toContain('v3')
    expect((await visited(url, '/assets/only-AAAAAA22.js')).text).toBe('// 2')
    expect((await visited(url, '/plain.txt')).status).toBe(404)
    expect((await visited(second.url, '/assets/only-AAAAAA22.js')).status).toBe(404)
    await platform().call(remove, { params: { deploymentId: first.id } })
    expect((await visited(url, '/assets/only-AAAAAA22.js')).status).toBe(404)
  })

  test('an alias that is taken away is not there, and neither is one that never was', async () => {
    const { id } = await deployPlugin(platform())
    const { url } = (await set({ name: 'gone', deploymentId: id })).alias
    const body = { storeId: storeId(), name: 'gone' }
    await platform().call(removeAlias, { body })
    expect((await visited(url)).status).toBe(404)
    const again = await platform().request('POST', removeAlias.path, { body })
    expect([again.status, again.error.param]).toEqual([404, 'name'])
  })

  test.for<[string, object, [number, string, string]]>([
    ['two hyphens', { name: 'a--b', pluginId: 'p' }, [400, 'parameter_invalid', 'name']],
    ['capitals', { name: 'Main', pluginId: 'p' }, [400, 'parameter_invalid', 'name']],
    ['a hyphen at the end', { name: 'a-', pluginId: 'p' }, [400, 'parameter_invalid', 'name']],
    ['36 characters', { name: 'a'.repeat(36), pluginId: 'p' }, [400, 'parameter_invalid', 'name']],
    ['neither deployment nor plugin', { name: 'a' }, [400, 'parameter_missing', 'deploymentId']],
    ['both', { name: 'a', pluginId: 'p', deploymentId: 'd' }, [400, 'parameter_invalid', 'deploymentId']],
    ['an unknown plugin', { name: 'a', pluginId: 'none' }, [404, 'resource_missing', 'pluginId']],
  ])('an alias with %s is refused', async ([, change, expected]) => {
    const answer = await platform().request('POST', setAlias.path, { body: { storeId: storeId(), ...change } })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual(expected)
  })

  test("another store's deployment is refused", async () => {
    const store = await platform().call(contract.stores.create, { body: { name: 'Other' } })
    const { id } = await deployPlugin(platform(), { storeId: store.id })
    const answer = await platform().request('POST', setAlias.path, {
      body: { storeId: storeId(), name: 'a', deploymentId: id },
    })
    expect([answer.status, answer.error.param]).toEqual([400, 'storeId'])
  })
})
