import { type CallOf, contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const { syncConfig } = contract.plugins
const { settings, revisions, updateSettings, activate, rollback } = contract.pluginManagement
type Sync = Omit<CallOf<typeof syncConfig>['body'], 'deploymentId'>
type Edit = Omit<CallOf<typeof updateSettings>['body'], 'deploymentId'>

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const edit = (deploymentId: string, body: Edit) =>
    platform().call(updateSettings, { body: { deploymentId, ...body } })
  const sync = (deploymentId: string, body: Sync) => platform().call(syncConfig, { body: { deploymentId, ...body } })
  const live = (deploymentId: string) => platform().call(settings, { params: { deploymentId }, query: {} })
  const switchTo = (deploymentId: string) => platform().call(activate, { params: { deploymentId } })

  const dark = { colour: '#111', size: 1, sale: 'off' }

  /** An active version, and the next one, which waits. */
  async function waiting(first: Sync = { presets: { dark } }) {
    const { id: old, pluginId } = await deployPlugin(platform())
    if (Object.keys(first).length > 0) await sync(old, first)
    const manifest = { pluginId, name: 'Next', version: '2.0.0' }
    const { id: next } = await deployPlugin(platform(), { manifest, activate: false })
    return { old, next, manifest }
  }

  it('what a merchant edits while a version waits is live with it, beside what its author has changed', async () => {
    const { old, next } = await waiting()
    await edit(old, { presets: { dark: { sale: 'on' } } })
    const schema = { type: 'object' }
    await sync(next, { schema, presets: { dark: { ...dark, size: 2 }, light: { colour: '#fff' } } })
    await edit(old, { presets: { dark: { colour: '#000' }, own: { a: 1 } }, activePreset: 'own' })
    await edit(old, { presets: { dark: { sale: 'off' } } })
    await switchTo(next)
    const now = await live(next)
    expect(now).toMatchObject({ schema, activePreset: 'own' })
    expect(now.presets).toEqual({
      dark: { colour: '#000', size: 2, sale: 'off' },
      light: { colour: '#fff' },
      own: { a: 1 },
    })
    const { data } = await platform().call(revisions, { query: { deploymentId: next } })
    expect(data.map(({ source }) => source)).toEqual(['carried', 'author', 'carried'])
  })

  test('of a value that the author has changed for the next version and the merchant in the one in use, the merchant’s stays', async () => {
    const { old, next } = await waiting()
    await sync(next, { presets: { dark: { ...dark, colour: '#fff' } } })
    await edit(old, { presets: { dark: { colour: '#000' } } })
    await switchTo(next)
    expect((await live(next)).presets).toEqual({ dark: { ...dark, colour: '#000' } })
  })

  test('what the author has changed for the next version stays beside a hotfix of the one in use', async () => {
    const { old, next } = await waiting()
    await sync(next, { presets: { dark: { ...dark, colour: '#fff' } } })
    await sync(old, { presets: { dark: { ...dark, colour: '#000', size: 3 } } })
    await edit(old, { presets: { dark: { sale: 'on' } } })
    await switchTo(next)
    expect((await live(next)).presets).toEqual({ dark: { colour: '#fff', size: 3, sale: 'on' } })
  })

  test('what an author synchronises next is no conflict with what they have sent for the version before', async () => {
    const { old, next } = await waiting()
    const templates = { card: { count: 11 } }
    await platform().call(contract.plugins.syncTemplates, { body: { deploymentId: old, templates } })
    await switchTo(next)
    const later = { deploymentId: next, templates: { card: { count: 21 } } }
    expect(await platform().call(contract.plugins.syncTemplates, { body: later })).toMatchObject({ conflicts: [] })
    expect((await live(next)).templates).toEqual(later.templates)
  })

  test('what was edited of the waiting version itself stays', async () => {
    const { old, next } = await waiting()
    await edit(next, { presets: { dark: { colour: '#00f' } } })
    await edit(old, { presets: { dark: { colour: '#000', size: 3 } } })
    await switchTo(next)
    expect((await live(next)).presets).toEqual({ dark: { ...dark, colour: '#00f', size: 3 } })
  })

  test('content that is deployed once more takes the edits over, too, as after an interrupted publication', async () => {
    const { old, next, manifest } = await waiting()
    await edit(old, { presets: { dark: { colour: '#000' } } })
    const again = await deployPlugin(platform(), { manifest })
    expect([again.id, again.active]).toEqual([next, true])
    expect((await live(next)).presets).toEqual({ dark: { ...dark, colour: '#000' } })
  })

  test('a version without settings takes over all that were made meanwhile', async () => {
    const { old, next } = await waiting({})
    await edit(old, { presets: { own: { a: 1 } }, activePreset: 'own' })
    await switchTo(next)
    expect(await live(next)).toMatchObject({ presets: { own: { a: 1 } }, activePreset: 'own' })
  })

  test('a version takes over what was made meanwhile beside its own, also where there was nothing when it was made', async () => {
    const { old, next } = await waiting({})
    await sync(next, { presets: { dark } })
    await edit(old, { presets: { own: { a: 1 } }, activePreset: 'own' })
    await switchTo(next)
    expect(await live(next)).toMatchObject({ presets: { dark, own: { a: 1 } }, activePreset: 'own' })
  })

  test('a version goes back to the settings that it had, wherever the clock stood that switched to another one meanwhile', async () => {
    const { old, next, manifest } = await waiting()
    await edit(old, { presets: { dark: { colour: '#000' } } })
    const { id: third } = await deployPlugin(platform(), { manifest: { ...manifest, version: '3.0.0' } })
    platform().clock.advance(-60_000)
    await switchTo(next)
    platform().clock.advance(60_000)
    await switchTo(third)
    expect((await live(third)).presets).toEqual({ dark: { ...dark, colour: '#000' } })
  })

  it('a version that was active before goes back to the settings that it had', async () => {
    const { old, next, manifest } = await waiting()
    await switchTo(next)
    await edit(next, { presets: { dark: { colour: '#000' } } })
    await platform().call(rollback, { body: { storeId: platform().local.storeId, pluginId: manifest.pluginId } })
    expect((await live(old)).presets).toEqual({ dark })
    await switchTo(next)
    expect((await live(next)).presets).toEqual({ dark: { ...dark, colour: '#000' } })
  })
})
