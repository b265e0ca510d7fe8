import { contract, SETTINGS_HISTORY_MAX_BYTES, SETTINGS_REVISIONS_MAX } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const { syncConfig } = contract.plugins
const { settings, revisions, updateSettings, restoreSettings, activate } = contract.pluginManagement

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const sync = (deploymentId: string, presets: Record<string, Record<string, unknown>>) =>
    platform().call(syncConfig, { body: { deploymentId, presets } })
  const edit = (deploymentId: string, presets: Record<string, Record<string, unknown>>) =>
    platform().call(updateSettings, { body: { deploymentId, presets } })
  const live = (deploymentId: string) => platform().call(settings, { params: { deploymentId }, query: {} })
  const listed = async (deploymentId: string) => {
    const { data } = await platform().call(revisions, { query: { deploymentId, limit: '100' } })
    return data.map(({ revision }) => revision)
  }
  const restore = (deploymentId: string, revision: number) =>
    platform().request('POST', restoreSettings.path, { body: { deploymentId, revision } })
  const read = (sql: string, ...params: string[]) => platform().services.db.read(sql, params)
  const write = (sql: string, ...params: (string | number)[]) => platform().services.db.write([{ sql, params }])
  const large = (letter: string) => ({ text: letter.repeat(900_000) })
  const dark = { colour: '#111', sale: 'off' }

  it('former settings take as much room as they may: the oldest are forgotten, and every one that is listed can be brought back', async () => {
    const { id } = await deployPlugin(platform())
    await sync(id, { dark, light: { colour: '#fff' } })
    await edit(id, { dark: { colour: '#000' } })
    for (const letter of 'abcdefg') await sync(id, { dark, large: large(letter) })
    expect(await listed(id)).toEqual([9, 8, 7, 6])
    const [size] = await read('SELECT sum(length(value)) AS bytes FROM plugin_settings WHERE deployment_id = ?', id)
    expect(Number(size?.['bytes'])).toBeLessThan(SETTINGS_HISTORY_MAX_BYTES)
    expect((await live(id)).presets).toEqual({
      dark: { ...dark, colour: '#000' },
      light: { colour: '#fff' },
      large: large('g'),
    })
    const { status, error } = await restore(id, 2)
    expect([status, error.param, error.message]).toEqual([
      400,
      'revision',
      "Revision 2 is not kept any more, or was another deployment's; choose one of those that are listed.",
    ])
    expect((await restore(id, 6)).status).toBe(200)
    expect((await live(id)).presets).toEqual({
      dark: { ...dark, colour: '#000' },
      light: { colour: '#fff' },
      large: large('d'),
    })
  })

  test('of small changes the last ones are kept', async () => {
    const { id } = await deployPlugin(platform())
    await sync(id, { dark })
    const made = `SELECT account_id, deployment_id, CAST(? AS BIGINT)`
    for (let revision = 2; revision <= SETTINGS_REVISIONS_MAX; revision += 1) {
      await write(
        `INSERT INTO plugin_revisions (account_id, deployment_id, revision, source, changed_by, created_at)
          ${made}, 'merchant', changed_by, created_at FROM plugin_revisions WHERE deployment_id = ? AND revision = 1`,
        revision,
        id,
      )
      await write(
        `INSERT INTO plugin_settings (account_id, deployment_id, revision, kind, name, hash, value)
          ${made}, kind, 'own', hash, value FROM plugin_settings WHERE deployment_id = ? AND revision = 1`,
        revision,
        id,
      )
    }
    await edit(id, { own: { colour: '#000' } })
    const [kept] = await read('SELECT min(revision) AS first FROM plugin_revisions WHERE deployment_id = ?', id)
    expect(Number(kept?.['first'])).toBe(2)
    expect((await live(id)).presets).toEqual({ dark, own: { ...dark, colour: '#000' } })
  })

  it('a version that waits takes over the edits of the one in use, however much has been forgotten of it', async () => {
    const { id: old, pluginId } = await deployPlugin(platform())
    await sync(old, { dark })
    const manifest = { pluginId, name: 'Next', version: '2.0.0' }
    const { id: next } = await deployPlugin(platform(), { manifest, activate: false })
    for (const letter of 'abcdefg') await sync(next, { dark: { ...dark, size: letter }, large: large(letter) })
    await edit(old, { dark: { sale: 'on' } })
    await platform().call(activate, { params: { deploymentId: next } })
    expect((await live(next)).presets).toEqual({ dark: { ...dark, size: 'g', sale: 'on' }, large: large('g') })
    expect(await listed(next)).toEqual([9, 8, 7, 6, 5, 1])
  })

  test('a revision that was another version’s cannot be brought back, which would take all settings away', async () => {
    const { id: old, pluginId } = await deployPlugin(platform())
    for (const size of [1, 2, 3]) await sync(old, { dark: { ...dark, size } })
    const { id: next } = await deployPlugin(platform(), { manifest: { pluginId, version: '2.0.0' } })
    expect(await listed(next)).toEqual([3])
    expect((await restore(next, 1)).status).toBe(400)
    expect((await live(next)).presets).toEqual({ dark: { ...dark, size: 3 } })
  })
})
