import { hash } from 'node:crypto'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { visit } from '../../../test/plugins/visit.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'
import { commit } from '../../http/operations/commit.ts'
import { fileBlobs } from '../../storage/blobs/file-blobs.ts'
import { blobSweeper } from '../assets/blobs.ts'
import { sweepRemoved } from './remove.ts'

const {
  list,
  view,
  activate,
  rollback,
  remove,
  restore,
  updatePreview,
  picture: readPicture,
} = contract.pluginManagement
const DAY_MS = 24 * 60 * 60 * 1_000

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const storeId = () => platform().local.storeId
  const params = (deploymentId: string) => ({ params: { deploymentId } })
  const refused = async (operation: { path: string }, deploymentId: string) => {
    const answer = await platform().request('POST', operation.path.replace('{deploymentId}', deploymentId))
    return [answer.status, answer.error.code, answer.error.param]
  }

  /** Versions of one plugin, the last of which is active. */
  async function versions(count: number) {
    const made = [await deployPlugin(platform(), page('1'))]
    const { pluginId = '' } = made[0] ?? {}
    for (let version = 2; version <= count; version++) {
      platform().clock.advance(1)
      made.push(await deployPlugin(platform(), page(String(version), pluginId)))
    }
    return { pluginId, ids: made.map(({ id }) => id), urls: made.map(({ url }) => url) }
  }
  const page = (version: string, pluginId?: string) => ({
    manifest: { version: `${version}.0.0`, ...(pluginId && { pluginId }) },
    inlineAssets: [{ path: 'index.html', content: `<title>v${version}</title>` }],
  })
  async function states(pluginId: string) {
    const { data } = await platform().call(list, { query: { storeId: storeId(), pluginId, state: 'all' } })
    return data.map(({ id, state }) => [id, state])
  }

  test('an activation switches at once, and tells of it', async () => {
    const { pluginId, ids } = await versions(3)
    const { call, services, clock } = platform()
    clock.advance(1)
    const answer = await call(activate, params(ids[0] ?? ''))
    expect(answer).toMatchObject({ formerDeploymentId: ids[2], deployment: { id: ids[0], state: 'active' } })
    expect(await states(pluginId)).toEqual([
      [ids[2], 'idle'],
      [ids[1], 'idle'],
      [ids[0], 'active'],
    ])
    const events = await services.db.read(
      "SELECT properties FROM events WHERE event_type = 's_plugin_activated' ORDER BY id DESC LIMIT 1",
      [],
    )
    expect(JSON.parse(String(events[0]?.['properties']))).toMatchObject({ deploymentId: ids[0], version: '1.0.0' })
    expect(await call(activate, params(ids[0] ?? ''))).toMatchObject({ formerDeploymentId: ids[0] })
  })

  test('rolling back goes one back each time, passes over what was removed, and ends at the first', async () => {
    const { pluginId, ids } = await versions(4)
    const { call, request } = platform()
    await call(remove, params(ids[2] ?? ''))
    const back = async () => (await call(rollback, { body: { storeId: storeId(), pluginId } })).deployment.id
    expect(await back()).toBe(ids[1])
    expect(await back()).toBe(ids[0])
    const answer = await request('POST', rollback.path, { body: { storeId: storeId(), pluginId } })
    expect([answer.status, answer.error.code]).toEqual([409, 'state_conflict'])
    await call(activate, params(ids[3] ?? ''))
    expect(await back()).toBe(ids[0])
  })

  it('of many switches at once, each counts and one is last', async () => {
    const { pluginId, ids } = await versions(3)
    await Promise.all(ids.map((id) => platform().call(activate, params(id))))
    expect((await states(pluginId)).filter(([, state]) => state === 'active')).toHaveLength(1)
    const rows = await platform().services.db.read(
      'SELECT number FROM plugin_activation_log WHERE plugin_id = ? ORDER BY number',
      [pluginId],
    )
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
  })

  test('what was overwritten can stand for its version again, with the domains that it had', async () => {
    const { call } = platform()
    const first = await deployPlugin(platform(), page('1'))
    await call(contract.plugins.promoteToCustomDomain, {
      body: { deploymentId: first.id, customDomain: 'again.example.com' },
    })
    platform().clock.advance(1)
    const second = await deployPlugin(platform(), {
      manifest: { pluginId: first.pluginId, version: '1.0.0', own: 2 },
      inlineAssets: [{ path: 'index.html', content: '<title>new</title>' }],
      overwrite: true,
    })
    const served = async () => (await visit(platform(), { host: 'again.example.com' })).text
    expect(await served()).toContain('new')
    expect((await call(rollback, { body: { storeId: storeId(), pluginId: first.pluginId } })).deployment.id).toBe(
      first.id,
    )
    expect(await served()).toContain('v1')
    expect(await states(first.pluginId)).toEqual([
      [second.id, 'archived'],
      [first.id, 'active'],
    ])
  })

  test('a removed deployment answers 410 until it is restored, and for good once it is swept', async () => {
    const { pluginId, ids, urls } = await versions(2)
    const [id = ''] = ids
    const { call, clock, services, request } = platform()
    const host = new URL(urls[0] ?? '').host
    const status = async () => (await visit(platform(), { host })).status
    const sweep = async () => commit(await sweepRemoved({ ...services, clock }), services)
    expect(await status()).toBe(200)
    const keys = () => services.db.read('SELECT id FROM api_keys WHERE allowed_origins LIKE ?', [`%${host}%`])
    expect(await keys()).toHaveLength(1)
    const { deployment } = await call(remove, params(id))
    expect(deployment).toMatchObject({ state: 'removed', removedAt: new Date(clock.now()).toISOString() })
    expect(Date.parse(deployment.restorableUntil ?? '')).toBe(clock.now() + DAY_MS)
    expect(await status()).toBe(410)
    expect(await refused(activate, id)).toEqual([409, 'state_conflict', 'deploymentId'])
    clock.advance(DAY_MS - 1)
    await sweep()
    expect((await call(restore, params(id))).deployment.state).toBe('idle')
    expect(await status()).toBe(200)
    await call(remove, params(id))
    clock.advance(DAY_MS)
    // The platform's own sweeper may have been there already.
    expect([
      [409, 'state_conflict', 'deploymentId'],
      [404, 'resource_missing', 'deploymentId'],
    ]).toContainEqual(await refused(restore, id))
    await sweep()
    expect(await status()).toBe(410)
    expect((await request('GET', view.path.replace('{deploymentId}', id))).status).toBe(404)
    expect(await states(pluginId)).toEqual([[ids[1], 'active']])
    expect(await services.db.read('SELECT path FROM plugin_files WHERE deployment_id = ?', [id])).toEqual([])
    expect(await keys()).toEqual([])
  })

  test('a deployment of a plugin that was never activated is removed', async () => {
    const { deploymentId } = await platform().call(contract.plugins.deploy, {
      body: {
        storeId: storeId(),
        manifest: { pluginId: 'never-active', name: 'Never', version: '1.0.0', pages: [{ id: 'home', path: '/' }] },
        inlineAssets: [{ path: 'index.html', content: '<title>new</title>' }],
        activate: false,
      },
    })
    const { deployment } = await platform().call(remove, params(deploymentId ?? ''))
    expect(deployment.state).toBe('removed')
  })

  test('what is active, or on a domain of its own, is not removed', async () => {
    const { ids } = await versions(2)
    const [first = '', second = ''] = ids
    expect(await refused(remove, second)).toEqual([409, 'state_conflict', 'deploymentId'])
    await platform().call(contract.plugins.promoteToCustomDomain, {
      body: { deploymentId: first, customDomain: 'pinned.example.com' },
    })
    expect(await refused(remove, first)).toEqual([409, 'state_conflict', 'deploymentId'])
  })

  it('an activation and a removal at the same time never leave the store with what is gone', async () => {
    for (let round = 0; round < 5; round++) {
      const { pluginId, ids } = await versions(2)
      const act = (operation: { path: string }) =>
        platform().request('POST', operation.path.replace('{deploymentId}', ids[0] ?? ''))
      const answers = await Promise.all([act(activate), act(remove)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const all = await states(pluginId)
      expect(all.filter(([, state]) => state === 'active')).toHaveLength(1)
    }
  })

  test('a restored deployment stays archived when another one stands for its version by then', async () => {
    const { pluginId, ids } = await versions(2)
    await platform().call(remove, params(ids[0] ?? ''))
    const other = await deployPlugin(platform(), page('1', pluginId))
    expect(other.id).not.toBe(ids[0])
    expect((await platform().call(restore, params(ids[0] ?? ''))).deployment.state).toBe('archived')
  })

  test('the list has pages', async () => {
    const { pluginId, ids } = await versions(3)
    const get = async (after?: string) => {
      const query = new URLSearchParams({ storeId: storeId(), pluginId, limit: '2', ...(after && { after }) })
      const answer = await platform().request('GET', `${list.path}?${query}`)
      return list.response.parse(answer.body)
    }
    const first = await get()
    expect([first.data.map(({ id }) => id), first.hasMore]).toEqual([[ids[2], ids[1]], true])
    const second = await get(first.nextCursor ?? '')
    expect([second.data.map(({ id }) => id), second.hasMore, second.nextCursor]).toEqual([[ids[0]], false, null])
  })

  test('a deployment can be looked into', async () => {
    const { id, pluginId } = await deployPlugin(platform(), {
      manifest: { own: 'kept' },
      sourceData: { commit: 'abc' },
    })
    const { call } = platform()
    const promoted = await call(contract.plugins.promoteToCustomDomain, {
      body: { pluginId, storeId: storeId(), hostname: 'view.example.com' },
    })
    const { alias } = await call(contract.pluginManagement.setAlias, {
      body: { storeId: storeId(), name: 'viewed', deploymentId: id },
    })
    await call(contract.plugins.syncConfig, { body: { deploymentId: id, presets: { a: {} } } })
    expect(await call(view, params(id))).toMatchObject({
      deployment: { id, state: 'active' },
      manifest: { own: 'kept', pluginId },
      files: [{ path: 'index.html', size: 38, contentType: 'text/html; charset=utf-8' }],
      aliases: [alias],
      routes: [promoted.route],
      revision: 1,
      demoPreviews: null,
      sourceData: { commit: 'abc' },
    })
  })

  test('pictures that were uploaded are served on the deployment’s host, and are kept for as long as a preview has them', async () => {
    const previews = [{ id: 'a', metadata: { status: 'pending' } }]
    const { id, url } = await deployPlugin(platform(), { demoPreviews: { pages: [{ path: '/', previews }] } })
    const stored = async (text: string) => {
      const sha256 = hash('sha256', text)
      const asset = { sha256, size: text.length, content: Buffer.from(text).toString('base64') }
      await platform().call(contract.plugins.uploadAssets, { body: { assets: [asset] } })
      return sha256
    }
    const say = (body: object) =>
      platform().request('POST', updatePreview.path.replace('{deploymentId}', id), {
        body: { previewId: 'a', status: 'ready', ...body },
      })
    const [former, phone, other] = [await stored('former'), await stored('phone'), await stored('other')]
    await say({ screenshots: { mobile: former } })
    const said = await say({ screenshots: { mobile: phone } })
    const address = `${url}/_previews/picture-${phone}.png`
    expect(said.body).toMatchObject({
      demoPreviews: { pages: [{ previews: [{ screenshotUrls: { mobile: address } }] }] },
    })
    const host = new URL(url).host
    const content = Buffer.from('phone').toString('base64')
    const read = (sha256: string) => platform().call(readPicture, { params: { deploymentId: id, sha256 } })
    expect(await read(phone)).toEqual({ deploymentId: id, sha256: phone, size: 5, contentType: 'image/png', content })
    const path = readPicture.path.replace('{deploymentId}', id).replace('{sha256}', other)
    expect((await platform().request('GET', path)).status).toBe(404)
    const seen = (sha256: string) => visit(platform(), { host, path: `/_previews/picture-${sha256}.png` })
    const picture = await seen(phone)
    expect([picture.status, picture.text]).toEqual([200, 'phone'])
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect([(await seen(former)).status, (await seen(other)).status]).toEqual([404, 404])
    const unknown = await say({ screenshots: { desktop: hash('sha256', 'nothing') } })
    expect([unknown.status, unknown.error.param]).toEqual([400, 'screenshots.desktop'])
    platform().clock.advance(2 * 24 * 60 * 60 * 1_000)
    await blobSweeper(platform().services, fileBlobs(join(platform().folder, 'blobs')))()
    expect((await seen(phone)).status).toBe(200)
    const left = () => platform().services.db.read('SELECT sha256 FROM plugin_blobs WHERE sha256 = ?', [other])
    await expect.poll(left).toEqual([]) // the platform's own sweeper may be at it
  })

  it('what two say at once of two previews is both kept', async () => {
    const previews = ['a', 'b'].map((id) => ({ id, metadata: { status: 'pending', preset: 'dark' } }))
    const { id } = await deployPlugin(platform(), { demoPreviews: { pages: [{ path: '/', previews }] } })
    const say = (previewId: string, more: object) =>
      platform().request('POST', updatePreview.path.replace('{deploymentId}', id), { body: { previewId, ...more } })
    await Promise.all([
      say('a', { status: 'ready', screenshotUrls: { mobile: '/a-390.png' } }),
      say('b', { status: 'failed', error: 'It did not load.' }),
    ])
    const { demoPreviews } = await platform().call(view, params(id))
    expect(demoPreviews?.pages[0]?.previews).toMatchObject([
      { id: 'a', metadata: { status: 'ready', preset: 'dark', error: null }, screenshotUrls: { mobile: '/a-390.png' } },
      { id: 'b', metadata: { status: 'failed', error: 'It did not load.' } },
    ])
    const unknown = await say('c', { status: 'ready' })
    expect([unknown.status, unknown.error.param]).toEqual([400, 'previewId'])
    const script = await say('a', { status: 'ready', screenshotUrls: { mobile: 'javascript:alert(1)' } })
    expect([script.status, script.error.param]).toEqual([400, 'screenshotUrls.mobile'])
  })
})
