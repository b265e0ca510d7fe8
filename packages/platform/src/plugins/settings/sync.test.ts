import { type CallOf, contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'
import { inOrder } from './sync.ts'

const { syncConfig, syncTemplates } = contract.plugins

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const config = (body: CallOf<typeof syncConfig>['body']) => platform().call(syncConfig, { body })
  const templates = (body: CallOf<typeof syncTemplates>['body']) => platform().call(syncTemplates, { body })
  const newDeployment = async () => (await deployPlugin(platform())).id

  async function stored(deploymentId: string): Promise<unknown[]> {
    const rows = await platform().services.db.read(
      'SELECT kind, name, revision, value FROM plugin_settings WHERE deployment_id = ? ORDER BY revision, kind, name',
      [deploymentId],
    )
    return rows.map(({ kind, name, revision, value }) => [kind, name, revision, JSON.parse(String(value))])
  }

  test('what changed is named and is a new revision; what is not named stays', async () => {
    const deploymentId = await newDeployment()
    const dark = { colour: '#111', meta: { title: 'Dark' } }
    const first = await config({ deploymentId, schema: { type: 'object' }, uiSchema: {}, presets: { dark, light: {} } })
    expect(first).toEqual({
      success: true,
      deploymentId,
      revision: 1,
      updated: ['schema', 'uiSchema', 'dark', 'light'],
      conflicts: [],
      dryRun: false,
      invalid: [],
    })
    const second = await config({ deploymentId, uiSchema: {}, presets: { dark, light: { colour: '#eee' } } })
    expect(second).toMatchObject({ revision: 2, updated: ['light'] })
    expect(await stored(deploymentId)).toEqual([
      ['preset', 'dark', 1, dark],
      ['preset', 'light', 1, {}],
      ['schema', 'schema', 1, { type: 'object' }],
      ['uiSchema', 'uiSchema', 1, {}],
      ['preset', 'light', 2, { colour: '#eee' }],
    ])
  })

  test('equal content changes nothing, whatever the order of its names', async () => {
    const deploymentId = await newDeployment()
    await config({ deploymentId, presets: { a: { x: 1, y: [1, 2] } } })
    const again = await config({ deploymentId, presets: { a: { y: [1, 2], x: 1 } } })
    expect(again).toMatchObject({ revision: 1, updated: [] })
    expect(await stored(deploymentId)).toHaveLength(1)
  })

  test('presets and templates are shown in the author’s order, then those of the merchant by name', async () => {
    const { id: deploymentId, pluginId } = await deployPlugin(platform())
    const shown = async (id = deploymentId) => {
      const params = { deploymentId: id }
      const live = await platform().call(contract.pluginManagement.settings, { params, query: {} })
      return [Object.keys(live.presets), Object.keys(live.templates)]
    }
    await config({ deploymentId, presets: { night: {}, atelier: {}, plain: {} } })
    await templates({ deploymentId, templates: { winter: {}, spring: {} } })
    expect(await shown()).toEqual([
      ['night', 'atelier', 'plain'],
      ['winter', 'spring'],
    ])
    const body = { deploymentId, presets: { zebra: { a: 1 }, brook: { a: 1 } } }
    await platform().call(contract.pluginManagement.updateSettings, { body })
    expect((await shown())[0]).toEqual(['night', 'atelier', 'plain', 'brook', 'zebra'])
    const same = await config({ deploymentId, presets: { plain: {}, night: {}, atelier: {} } })
    expect(same.updated).toEqual([])
    expect((await shown())[0]).toEqual(['plain', 'night', 'atelier', 'brook', 'zebra'])
    await config({ deploymentId, presets: { atelier: { a: 1 }, dusk: {}, plain: {} } })
    expect((await shown())[0]).toEqual(['atelier', 'dusk', 'night', 'plain', 'brook', 'zebra'])
    const next = await deployPlugin(platform(), { manifest: { pluginId, version: '2.0.0' } })
    expect(await shown(next.id)).toEqual(await shown())
  })

  test.for([
    [
      ['a', 'b', 'c'],
      ['c', 'a'],
      ['c', 'b', 'a'],
    ],
    [
      ['a', 'b'],
      ['n', 'b'],
      ['n', 'a', 'b'],
    ],
    [
      ['a', 'b', 'c'],
      ['b', 'n', 'm'],
      ['a', 'b', 'n', 'm', 'c'],
    ],
    [[], ['b', 'a'], ['b', 'a']],
    [['a', 'b'], [], ['a', 'b']],
  ] as const)('%j after %j is %j', ([before, sent, after]) => {
    expect(inOrder(before, sent)).toEqual(after)
  })

  test('a value that comes back after another is a change', async () => {
    const deploymentId = await newDeployment()
    for (const colour of ['a', 'b', 'a']) await config({ deploymentId, presets: { p: { colour } } })
    expect(await config({ deploymentId, presets: { p: { colour: 'a' } } })).toMatchObject({ revision: 3, updated: [] })
  })

  test('a deployment without settings is at revision 0', async () => {
    const deploymentId = await newDeployment()
    expect(await config({ deploymentId })).toMatchObject({ revision: 0, updated: [] })
  })

  test('templates and presets of one name are two things, counted by one revision', async () => {
    const deploymentId = await newDeployment()
    await config({ deploymentId, presets: { same: { a: 1 } } })
    expect(await templates({ deploymentId, templates: { same: { a: 1 } } })).toEqual({
      success: true,
      deploymentId,
      revision: 2,
      updated: ['same'],
      conflicts: [],
      dryRun: false,
      invalid: [],
    })
    expect(await templates({ deploymentId, templates: { same: { a: 1 } } })).toMatchObject({ revision: 2, updated: [] })
  })

  it('of synchronisations at once none is lost', async () => {
    const deploymentId = await newDeployment()
    const all = await Promise.all(
      ['a', 'b', 'c'].map((name) => config({ deploymentId, presets: { [name]: { name } } })),
    )
    expect(all.map(({ revision }) => revision).toSorted()).toEqual([1, 2, 3])
    expect(await stored(deploymentId)).toHaveLength(3)
  })

  test('what takes the place of a version keeps its settings, with all that they were; a new version begins with them as they are', async () => {
    const { id: deploymentId, pluginId } = await deployPlugin(platform())
    for (const colour of ['a', 'b']) await config({ deploymentId, presets: { p: { colour } } })
    const next = await deployPlugin(platform(), { manifest: { pluginId, own: 2 }, overwrite: true })
    expect(await stored(next.id)).toEqual(await stored(deploymentId))
    const again = await config({ deploymentId: next.id, presets: { p: { colour: 'b' } } })
    expect(again).toMatchObject({ revision: 2, updated: [] })
    const newVersion = await deployPlugin(platform(), { manifest: { pluginId, version: '1.1.0' } })
    expect(await stored(newVersion.id)).toEqual([['preset', 'p', 2, { colour: 'b' }]])
  })

  it('settings that are sent while their version is overwritten are in what takes its place, or refused', async () => {
    const { pluginId, ...first } = await deployPlugin(platform())
    let standing = first.id
    for (let round = 0; round < 12; round++) {
      const name = `round ${round}`
      const send = () =>
        platform().request('POST', syncConfig.path, { body: { deploymentId: standing, presets: { [name]: {} } } })
      const [next, ...sent] = await Promise.all([
        deployPlugin(platform(), { manifest: { pluginId, own: round }, overwrite: true }),
        ...Array.from({ length: 4 }, send),
      ])
      const isAcknowledged = sent.some(({ status }) => status === 200)
      const { presets } = await platform().call(contract.pluginManagement.settings, {
        params: { deploymentId: next.id },
        query: {},
      })
      if (isAcknowledged) expect(Object.keys(presets)).toContain(name)
      standing = next.id
    }
  })

  test('a deployment has 100 presets at most, however they come', async () => {
    const deploymentId = await newDeployment()
    const named = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`p${from + n}`, {}]))
    const refused = (presets: object) =>
      platform().request('POST', syncConfig.path, { body: { deploymentId, presets } })
    const tooMany = await refused(named(0, 101))
    expect([tooMany.status, tooMany.error.param]).toEqual([400, 'presets'])
    expect(await config({ deploymentId, presets: named(0, 100) })).toMatchObject({ revision: 1 })
    const oneMore = await refused(named(100, 101))
    expect([oneMore.status, oneMore.error.param]).toEqual([400, 'presets'])
    expect(await config({ deploymentId, presets: { p99: { changed: true } } })).toMatchObject({ updated: ['p99'] })
  })

  test.for<[string, object, string]>([
    ['a preset that is no object', { presets: { a: 'dark' } }, 'presets.a'],
    ['a preset that is a list', { presets: { a: [] } }, 'presets.a'],
    ['a schema that is no object', { schema: true }, 'schema'],
    ['a uiSchema that is null', { uiSchema: null }, 'uiSchema'],
    ['presets without names', { presets: [] }, 'presets'],
  ])('%s is refused', async ([, change, param]) => {
    const answer = await platform().request('POST', syncConfig.path, { body: { deploymentId: 'dep_1', ...change } })
    expect([answer.status, answer.error.param]).toEqual([400, param])
  })

  test('a deployment of another account is not there, and one that was overwritten takes no settings', async () => {
    const { addAccount, request } = platform()
    const { id: deploymentId, pluginId } = await deployPlugin(platform())
    const { apiKey } = await addAccount()
    for (const [path, body] of [
      [syncConfig.path, { deploymentId }],
      [syncTemplates.path, { deploymentId, templates: {} }],
    ] as const) {
      const foreign = await request('POST', path, { body, key: apiKey })
      expect([foreign.status, foreign.error.param]).toEqual([404, 'deploymentId'])
    }
    await deployPlugin(platform(), { manifest: { pluginId, own: 2 }, overwrite: true })
    const archived = await request('POST', syncConfig.path, { body: { deploymentId, presets: { a: {} } } })
    expect([archived.status, archived.error.code]).toEqual([409, 'state_conflict'])
  })
})
