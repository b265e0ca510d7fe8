import { type CallOf, contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const { syncConfig, syncTemplates } = contract.plugins
const { settings, revisions, updateSettings, restoreSettings } = contract.pluginManagement
type Sync = Omit<CallOf<typeof syncConfig>['body'], 'deploymentId'>
type Edit = Omit<CallOf<typeof updateSettings>['body'], 'deploymentId'>

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })

  async function deployed(first: Sync = {}) {
    const { id: deploymentId, pluginId } = await deployPlugin(platform())
    const sync = (body: Sync) => platform().call(syncConfig, { body: { deploymentId, ...body } })
    const edit = (body: Edit) => platform().call(updateSettings, { body: { deploymentId, ...body } })
    const live = () => platform().call(settings, { params: { deploymentId }, query: {} })
    const refused = async ({ path }: { path: string }, body: object) => {
      const { status, error } = await platform().request('POST', path, { body: { deploymentId, ...body } })
      return [status, error.code, error.param, error.issues.map((issue) => issue.path)]
    }
    if (Object.keys(first).length > 0) await sync(first)
    return { deploymentId, pluginId, sync, edit, live, refused }
  }
  const dark = { colour: '#111', size: 1, fonts: ['a'] }

  test('what the merchant has edited stays when the author synchronises something else', async () => {
    const { sync, edit, live } = await deployed({ presets: { dark } })
    expect(await edit({ presets: { dark: { colour: '#000' }, own: { a: 1 } } })).toMatchObject({
      revision: 2,
      updated: ['/presets/dark', '/presets/own'],
    })
    const synced = await sync({ presets: { dark: { ...dark, size: 2 } } })
    expect(synced).toMatchObject({ revision: 3, updated: ['dark'], conflicts: [] })
    expect((await live()).presets).toEqual({ dark: { colour: '#000', size: 2, fonts: ['a'] }, own: { a: 1 } })
    expect(await sync({ presets: { dark: { ...dark, size: 2 } } })).toMatchObject({ revision: 3, updated: [] })
  })

  test('a value changed by both is reported with every sync, until a strategy decides', async () => {
    const { sync, edit, live, refused } = await deployed({ presets: { dark } })
    await edit({ presets: { dark: { colour: '#000' } } })
    const theirs = { presets: { dark: { ...dark, colour: '#fff', size: 3 } } }
    expect(await refused(syncConfig, { ...theirs, strategy: 'strict' })).toEqual([
      409,
      'state_conflict',
      'strategy',
      ['presets.dark.colour'],
    ])
    expect((await live()).revision).toBe(2)
    expect(await sync(theirs)).toMatchObject({ revision: 3, conflicts: ['/presets/dark/colour'] })
    expect((await live()).presets['dark']).toMatchObject({ colour: '#000', size: 3 })
    expect(await sync(theirs)).toMatchObject({ revision: 3, updated: [], conflicts: ['/presets/dark/colour'] })
    expect(await sync({ ...theirs, strategy: 'ours' })).toMatchObject({ revision: 3, updated: [] })
    expect(await sync(theirs)).toMatchObject({ revision: 3, updated: [], conflicts: [] })
    const next = { presets: { dark: { ...dark, colour: '#eee' } } }
    expect(await sync({ ...next, strategy: 'theirs' })).toMatchObject({ updated: ['dark'], conflicts: [] })
    expect((await live()).presets['dark']).toMatchObject({ colour: '#eee' })
  })

  test('templates are merged too', async () => {
    const { deploymentId, edit, live } = await deployed()
    const sync = (winter: object) =>
      platform().call(syncTemplates, { body: { deploymentId, templates: { winter: { ...winter } } } })
    await sync({ headline: 'Sale', colour: 'blue' })
    await edit({ templates: { winter: { headline: 'Last days' } } })
    await sync({ headline: 'Sale', colour: 'white' })
    expect((await live()).templates).toEqual({ winter: { headline: 'Last days', colour: 'white' } })
  })

  test('a trial run tells what would happen and writes nothing', async () => {
    const { sync, edit, live } = await deployed({ presets: { dark } })
    await edit({ presets: { dark: { colour: '#000' } } })
    const before = await live()
    const schema = { type: 'object', properties: { colour: { type: 'number' } } }
    const change = { presets: { dark: { ...dark, colour: '#fff' } }, schema, strategy: 'strict', dryRun: true } as const
    expect(await sync(change)).toEqual({
      success: true,
      deploymentId: before.deploymentId,
      revision: 3,
      updated: ['schema'],
      conflicts: ['/presets/dark/colour'],
      dryRun: true,
      invalid: [{ preset: 'dark', pointer: '/colour', message: 'must be number' }],
    })
    expect(await live()).toEqual(before)
  })

  test('settings that have moved on are not changed by who expects them where they were', async () => {
    const { edit, sync, refused } = await deployed({ presets: { dark } })
    expect((await refused(syncConfig, { presets: {}, expectedRevision: 0 })).slice(0, 3)).toEqual([
      409,
      'state_conflict',
      'expectedRevision',
    ])
    expect((await refused(updateSettings, { presets: {}, expectedRevision: 2 })).slice(0, 3)).toEqual([
      409,
      'state_conflict',
      'expectedRevision',
    ])
    expect(await edit({ presets: { dark: { size: 5 } }, expectedRevision: 1 })).toMatchObject({ revision: 2 })
    expect(await sync({ presets: { light: {} }, expectedRevision: 2 })).toMatchObject({ revision: 3 })
  })

  test('a schema under which live presets become invalid is refused, unless that is wanted', async () => {
    const { sync, edit, live, refused } = await deployed({
      presets: { dark: { ...dark, meta: { any: 1 } }, light: { colour: 7 } },
      schema: { type: 'object', properties: { colour: { type: ['string', 'number'] } } },
    })
    const schema = {
      type: 'object',
      additionalProperties: false,
      required: ['size'],
      properties: { colour: { type: 'string', format: 'color' }, size: { type: 'integer' }, fonts: { type: 'array' } },
    }
    expect(await refused(syncConfig, { schema })).toEqual([
      409,
      'state_conflict',
      'schema',
      ['presets.light.size', 'presets.light.colour'],
    ])
    expect(await sync({ schema, force: true })).toMatchObject({ updated: ['schema'], invalid: [{}, {}] })
    expect(await edit({ presets: { dark: { size: 2 } } })).toMatchObject({ updated: ['/presets/dark'] })
    expect(await refused(updateSettings, { presets: { dark: { unknown: 1 } } })).toEqual([
      409,
      'state_conflict',
      'presets',
      ['presets.dark.unknown'],
    ])
    expect((await live()).presets['light']).toEqual({ colour: 7 })
  })

  test.for<[string, object]>([
    ['a type that there is not', { type: 'colour' }],
    ['a reference that leads nowhere', { $ref: 'https://example.com/schema.json' }],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }],
    ['a reference to itself', { allOf: [{ $ref: '#' }] }],
    ['a pattern that looks ahead', { properties: { a: { pattern: '^(?=a)' } } }],
    ['a pattern that refers back', { patternProperties: { '(a)\\1': { type: 'string' } } }],
    ['another draft', { $schema: 'https://json-schema.org/draft/2020-12/schema' }],
  ])('a schema with %s is refused', async ([, schema]) => {
    const { refused } = await deployed({ presets: { dark: { slow: `${'a'.repeat(40)}!` } } })
    expect((await refused(syncConfig, { schema })).slice(0, 3)).toEqual([400, 'parameter_invalid', 'schema'])
  })

  test('a pattern that would run for years elsewhere is checked like any other', async () => {
    const { sync, refused } = await deployed({ presets: { dark: { slow: `${'a'.repeat(5_000)}!` } } })
    const schema = { properties: { slow: { pattern: '^(a|a)*$' } } }
    expect(await refused(syncConfig, { schema })).toEqual([409, 'state_conflict', 'schema', ['presets.dark.slow']])
    expect(await sync({ schema: { properties: { slow: { pattern: '^(a+)+!$' } } } })).toMatchObject({ invalid: [] })
  })

  test('every revision is on record, and can be brought back', async () => {
    const { deploymentId, sync, edit, live, refused } = await deployed({
      presets: { dark },
      schema: { type: 'object' },
    })
    await edit({ presets: { dark: { colour: '#000' }, own: {} }, activePreset: 'own' })
    await sync({ presets: { dark: { ...dark, size: 2 } } })
    const restore = (revision: number) => platform().call(restoreSettings, { body: { deploymentId, revision } })
    expect(await restore(1)).toMatchObject({ revision: 4, updated: ['/presets/dark', '/presets/own', '/activePreset'] })
    expect(await live()).toMatchObject({ revision: 4, presets: { dark }, activePreset: null })
    expect(await restore(3)).toMatchObject({ revision: 5 })
    expect(await live()).toMatchObject({ presets: { dark: { colour: '#000', size: 2 }, own: {} }, activePreset: 'own' })
    expect(await restore(3)).toMatchObject({ revision: 5, updated: [] })
    expect((await refused(restoreSettings, { revision: 6 })).slice(0, 3)).toEqual([
      400,
      'parameter_invalid',
      'revision',
    ])
    const page = async (after?: string) => {
      const query = new URLSearchParams({ deploymentId, limit: '3', ...(after && { after }) })
      const path = `${revisions.path}?${query}`
      return revisions.response.parse((await platform().request('GET', path)).body)
    }
    const first = await page()
    const second = await page(first.nextCursor ?? '')
    expect([...first.data, ...second.data].map(({ revision, source, changed }) => [revision, source, changed])).toEqual(
      [
        [5, 'restore', ['/activePreset', '/presets/dark', '/presets/own']],
        [4, 'restore', ['/activePreset', '/presets/dark', '/presets/own']],
        [3, 'author', ['/presets/dark']],
        [2, 'merchant', ['/activePreset', '/presets/dark', '/presets/own']],
        [1, 'author', ['/presets/dark', '/schema']],
      ],
    )
    expect([first.hasMore, second.hasMore]).toEqual([true, false])
  })

  test("a new version keeps the merchant's edits, also through its author's synchronisation", async () => {
    const { pluginId, edit } = await deployed({ presets: { dark } })
    await edit({ presets: { dark: { colour: '#000' } }, activePreset: 'dark' })
    const { id: deploymentId } = await deployPlugin(platform(), { manifest: { pluginId, version: '2.0.0' } })
    const body = { deploymentId, presets: { dark: { ...dark, size: 9 } } }
    expect(await platform().call(syncConfig, { body })).toMatchObject({ revision: 3, conflicts: [] })
    expect(await platform().call(settings, { params: { deploymentId }, query: {} })).toMatchObject({
      presets: { dark: { colour: '#000', size: 9 } },
      activePreset: 'dark',
    })
  })

  it('of an edit and a synchronisation at the same time neither is lost', async () => {
    const { sync, edit, live } = await deployed({ presets: { dark } })
    await Promise.all([
      sync({ presets: { dark: { ...dark, size: 2 } } }),
      edit({ presets: { dark: { colour: '#000' } } }),
      edit({ presets: { own: { a: 1 } } }),
    ])
    expect(await live()).toMatchObject({ revision: 4, presets: { dark: { colour: '#000', size: 2 }, own: { a: 1 } } })
  })

  it('of a decided conflict and what the author sends at the same time neither is lost', async () => {
    const deployments = await Promise.all(Array.from({ length: 6 }, () => deployed({ presets: { dark } })))
    const colours = deployments.map(async ({ sync, edit, live }) => {
      await edit({ presets: { dark: { colour: '#000' } } })
      await sync({ presets: { dark: { ...dark, colour: '#fff' } } })
      const resolved = [{ pointer: '/presets/dark/colour', author: '#fff' }]
      await Promise.all([sync({ presets: { dark: { ...dark, colour: '#eee' } } }), edit({ resolved })])
      return (await live()).conflicts.map(({ author }) => author)
    })
    // Whichever came first: no decision is about the value that was sent last.
    expect(await Promise.all(colours)).toEqual(deployments.map(() => ['#eee']))
  })

  test('presets and templates are removed by null, and the author’s stay away until the author changes them', async () => {
    const { deploymentId, sync, edit, live, refused } = await deployed({ presets: { dark, light: {} } })
    await edit({ presets: { own: { colour: '#0f0' } }, templates: { winter: { size: 2 } }, activePreset: 'own' })
    expect((await refused(updateSettings, { presets: { own: null } })).slice(0, 3)).toEqual([
      400,
      'parameter_invalid',
      'presets',
    ])
    await edit({ presets: { dark: null, own: null, none: null }, templates: { winter: null }, activePreset: 'light' })
    expect(await live()).toMatchObject({ presets: { light: {} }, templates: {}, activePreset: 'light' })
    await sync({ presets: { dark, light: {} } })
    expect((await live()).presets).toEqual({ light: {} })
    await sync({ presets: { dark: { ...dark, size: 7 } } })
    expect(await live()).toMatchObject({ presets: { light: {} }, conflicts: [{ pointer: '/presets/dark' }] })
    await platform().call(restoreSettings, { body: { deploymentId, revision: 2 } })
    expect(await live()).toMatchObject({ presets: { dark, own: { colour: '#0f0' } }, activePreset: 'own' })
  })

  test('a preset that is not there cannot be chosen', async () => {
    const { refused } = await deployed({ presets: { dark } })
    expect((await refused(updateSettings, { activePreset: 'none' })).slice(0, 3)).toEqual([
      400,
      'parameter_invalid',
      'activePreset',
    ])
  })

  test('a conflict is reported with the author’s value until the merchant has decided it, and again when the author sends another', async () => {
    const { sync, edit, live } = await deployed({ presets: { dark: { ...dark, 'a/b': { '~c': 1 } } } })
    await edit({ presets: { dark: { colour: '#000', size: 9, 'a/b': { '~c': 2 } } } })
    await sync({ presets: { dark: { fonts: ['a'], colour: '#fff', 'a/b': { '~c': 3 } } } })
    const pointers = ['/presets/dark/a~1b/~0c', '/presets/dark/colour', '/presets/dark/size']
    const { conflicts, presets, revision } = await live()
    expect(conflicts.toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1))).toEqual([
      { pointer: pointers[0], author: 3, base: 1 },
      { pointer: pointers[1], author: '#fff', base: '#111' },
      { pointer: pointers[2], author: null, base: 1 },
    ])
    expect(presets['dark']).toMatchObject({ colour: '#000', size: 9 })
    const seen = conflicts.map(({ pointer, author }) => ({ pointer, author }))
    const decided = (...places: (string | undefined)[]) => seen.filter(({ pointer }) => places.includes(pointer))
    await edit({ resolved: [{ pointer: pointers[1] ?? '', author: '#f0f' }] })
    expect((await live()).conflicts).toEqual(conflicts)
    const none = { pointer: '/presets/none/at/all', author: null }
    expect(await edit({ resolved: [...decided(pointers[0], pointers[1]), none] })).toMatchObject({
      revision,
      updated: [],
    })
    expect((await live()).conflicts).toEqual([{ pointer: pointers[2], author: null, base: 1 }])
    await edit({ presets: { dark: { size: null } }, resolved: decided(pointers[2]) })
    const taken = { fonts: ['a'], colour: '#000', 'a/b': { '~c': 2 } }
    expect(await live()).toMatchObject({ conflicts: [], presets: { dark: taken } })
    const next = { presets: { dark: { fonts: ['a'], colour: '#eee', 'a/b': { '~c': 3 } } } }
    expect(await sync(next)).toMatchObject({ conflicts: ['/presets/dark/colour'] })
    expect((await live()).conflicts).toEqual([{ pointer: '/presets/dark/colour', author: '#eee', base: '#fff' }])
  })

  test('the settings of an earlier revision are read, with who has made it', async () => {
    const { deploymentId, edit } = await deployed({ presets: { dark } })
    await edit({ presets: { dark: { colour: '#000' } } })
    const at = (revision: number) =>
      platform().call(settings, { params: { deploymentId }, query: { revision: String(revision) } })
    expect(await at(1)).toMatchObject({ revision: 1, presets: { dark } })
    expect(await at(0)).toMatchObject({ revision: 0, presets: {} })
    await expect(at(3)).rejects.toThrow('There is no revision 3; the last one is 2.')
    const { data } = await platform().call(revisions, { query: { deploymentId } })
    const [entry] = (await platform().call(contract.audit.list, { query: { resourceId: deploymentId, limit: '1' } }))
      .data
    expect(data.map(({ changedBy }) => changedBy)).toEqual([entry?.actor.id, entry?.actor.id])
    expect(data[0]?.changedByName).toBe(entry?.actor.name)
  })
})
