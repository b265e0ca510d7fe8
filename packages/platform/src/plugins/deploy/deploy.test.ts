import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployBody, type DeployBody, deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import type { Answer } from '../../../test/send-request.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const { deploy } = contract.plugins

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const bodyOf = (change?: Parameters<typeof deployBody>[1]) => deployBody(platform().local.storeId, change)
  const request = (body: unknown, key?: string) =>
    platform().request('POST', deploy.path, { body, ...(key && { key }) })
  const call = (body: DeployBody, key?: string) => platform().call(deploy, { body }, key)
  const file = (content: string) => ({ sha256: hash('sha256', content), size: Buffer.byteLength(content) })

  async function refused(body: unknown): Promise<[number, string, string | undefined]> {
    const { status, error } = await request(body)
    return [status, error.code, error.param]
  }
  const rowOf = async (id: string) => {
    const [row] = await platform().services.db.read('SELECT * FROM plugin_deployments WHERE id = ?', [id])
    return row ?? {}
  }
  const eventsOf = (id: string) =>
    platform().services.db.read(
      `SELECT event_type, properties FROM events WHERE properties <> replace(properties, ?, '') ORDER BY event_type`,
      [id],
    )

  test('a deployment comes back with all its fields, on a host of its own', async () => {
    const { clock, apiUrl } = platform()
    const body = bodyOf({
      manifest: { name: 'One page', description: 'Everything on one.', mode: 'spa-mode', version: '1.2.3-beta.1' },
      inlineAssets: [
        { path: 'index.html', content: 'ü' },
        { path: 'a/b.bin', content: Buffer.from([0, 255]).toString('base64'), encoding: 'base64' },
      ],
    })
    const answer = await call(body)
    const { deployment } = answer
    expect(deployment).toEqual({
      id: expect.stringMatching(/^dep_[0-9A-Za-z]{22}$/),
      deploymentId: deployment?.id,
      pluginId: body.manifest.pluginId,
      version: '1.2.3-beta.1',
      url: expect.stringMatching(new RegExp(`^http://[a-z2-7]{26}\\.plugins\\.localhost:${new URL(apiUrl).port}$`)),
      active: true,
      mode: 'spa-mode',
      size: 4,
      deployedAt: new Date(clock.now()).toISOString(),
      plugin: { id: body.manifest.pluginId, name: 'One page', description: 'Everything on one.' },
    })
    expect(answer).toEqual({
      success: true,
      deploymentId: deployment?.id,
      pluginId: body.manifest.pluginId,
      version: '1.2.3-beta.1',
      url: deployment?.url,
      deployment,
      missing: [],
    })
  })

  test('a deployment is two events: it was made, and it is in use', async () => {
    const { id, pluginId, version } = await deployPlugin(platform())
    const properties = JSON.stringify({ pluginId, deploymentId: id, version })
    expect(await eventsOf(id)).toEqual([
      { event_type: 's_plugin_activated', properties },
      { event_type: 's_plugin_deployed', properties },
    ])
  })

  test('unknown fields are kept inside the manifest, at any depth, and left out elsewhere', async () => {
    const page = { id: 'a', path: '/a', features: [{ type: 'x', own: [1] }], own: { deep: true } }
    const body = bodyOf({ manifest: { pages: [page], own: 'kept', ui: { own: 1 } }, sourceData: { commit: 'abc' } })
    const { deploymentId } = await call({ ...body, other: 'left out' } as DeployBody)
    const row = await rowOf(deploymentId ?? '')
    const manifest: unknown = JSON.parse(String(row['manifest']))
    expect(manifest).toMatchObject({ own: 'kept', ui: { own: 1, hideConfigEditor: false }, pages: [page] })
    expect(JSON.stringify(row)).not.toContain('left out')
    expect(JSON.parse(String(row['details']))).toEqual({
      demoPreviews: null,
      sourceData: { commit: 'abc' },
      autoInstantiate: null,
    })
  })

  test('previews, source and the wish for a step are kept with the deployment', async () => {
    const details = {
      demoPreviews: {
        pages: [{ path: '/', name: 'Start', previews: [{ id: 'p', metadata: { status: 'pending', error: null } }] }],
        metadata: { generator: 'tillwright' },
      },
      sourceData: { repository: 'shop', nested: { list: [1] } },
      autoInstantiate: { stepType: 'checkout', funnelId: platform().local.funnelId, isPreview: true },
    }
    const { deploymentId } = await call(bodyOf(details))
    expect(JSON.parse(String((await rowOf(deploymentId ?? ''))['details']))).toEqual(details)
  })

  test('the first page is the default one, unless another says so', async () => {
    const pages = [
      { id: 'a', path: '/a' },
      { id: 'b', path: '/b' },
    ]
    const defaultsOf = async (sent: DeployBody['manifest']['pages']) => {
      const { deploymentId } = await call(bodyOf({ manifest: { pages: sent } }))
      const manifest = JSON.parse(String((await rowOf(deploymentId ?? ''))['manifest']))
      return manifest.pages.map((page: { isDefault: boolean }) => page.isDefault)
    }
    expect(await defaultsOf(pages)).toEqual([true, false])
    expect(await defaultsOf(pages.map((page) => ({ ...page, isDefault: page.id === 'b' })))).toEqual([false, true])
  })

  const page = { id: 'a', path: '/a' }
  test.for<[string, Partial<DeployBody['manifest']>, string]>([
    ['no pages', { pages: [] }, 'manifest.pages'],
    [
      'two default pages',
      {
        pages: [
          { ...page, isDefault: true },
          { id: 'b', path: '/b', isDefault: true },
        ],
      },
      'manifest.pages[1].isDefault',
    ],
    ['one page id twice', { pages: [page, { id: 'a', path: '/b' }] }, 'manifest.pages[1].id'],
    ['one path twice', { pages: [page, { id: 'b', path: '/a/' }] }, 'manifest.pages[1].path'],
    [
      'two paths with one pattern',
      {
        pages: [
          { id: 'a', path: '/:id' },
          { id: 'b', path: '/:slug' },
        ],
      },
      'manifest.pages[1].path',
    ],
    ['a path without its /', { pages: [{ id: 'a', path: 'a' }] }, 'manifest.pages[0].path'],
    ['a path that climbs', { pages: [{ id: 'a', path: '/../a' }] }, 'manifest.pages[0].path'],
    ['a version that is none', { version: '1.0' }, 'manifest.version'],
    ['an unknown mode', { mode: 'iframe-mode' as 'spa-mode' }, 'manifest.mode'],
    ['a name without a character', { name: '' }, 'manifest.name'],
    ['an id with a slash', { pluginId: 'a/b' }, 'manifest.pluginId'],
    ['more than 1 MiB', { own: 'x'.repeat(1_100_000) }, 'manifest'],
  ])('a manifest with %s is refused', async ([, manifest, param]) => {
    expect(await refused(bodyOf({ manifest }))).toEqual([400, 'parameter_invalid', param])
  })

  const hostile = ['../x', '/x', 'a//b', 'a\\b', 'a/%2e%2e/b', 'C:/x', 'nul', 'x'.repeat(513)]
  test.for(hostile)('a file called %s is refused', async (path) => {
    const body = bodyOf({
      inlineAssets: [
        { path: 'ok', content: '' },
        { path, content: '' },
      ],
    })
    expect(await refused(body)).toEqual([400, 'parameter_invalid', 'inlineAssets[1].path'])
  })

  test.for<[string, object[], string, string?]>([
    [
      'two files with one path',
      [
        { path: 'a', content: '' },
        { path: 'A', content: '' },
      ],
      '[1].path',
    ],
    [
      'one path in two spellings',
      [
        { path: '\u00e9', content: '' },
        { path: 'E\u0301', content: '' },
      ],
      '[1].path',
    ],
    ['base64 that is none', [{ path: 'a', content: '###', encoding: 'base64' }], '[0].content'],
    ['base64 without padding', [{ path: 'a', content: 'YQ', encoding: 'base64' }], '[0].content'],
    ['base64 with a rest of bits', [{ path: 'a', content: 'YR==', encoding: 'base64' }], '[0].content'],
    ['a hash that is not the content’s', [{ path: 'a', content: 'a', sha256: '0'.repeat(64) }], '[0].sha256'],
    ['a hash in capitals', [{ path: 'a', content: 'a', sha256: hash('sha256', 'a').toUpperCase() }], '[0].sha256'],
    ['a content that is not as long as its size', [{ path: 'a', content: 'ä', size: 1 }], '[0].content'],
    ['neither content nor hash', [{ path: 'a', size: 1 }], '[0].sha256', 'parameter_missing'],
    ['neither content nor size', [{ path: 'a', sha256: '0'.repeat(64) }], '[0].size', 'parameter_missing'],
    [
      'a media type that breaks a header',
      [{ path: 'a', content: '', contentType: 'text/html\r\nX: y' }],
      '[0].contentType',
    ],
    [
      'two sizes of one hash',
      [
        { path: 'a', content: 'a' },
        { path: 'b', sha256: hash('sha256', 'a'), size: 2 },
      ],
      '[1].size',
    ],
    ['2,001 files', Array.from({ length: 2_001 }, (_, n) => ({ path: `f${n}`, content: '' })), ''],
    [
      'more than 100 MiB',
      Array.from({ length: 5 }, (_, n) => ({ path: `f${n}`, sha256: '0'.repeat(64), size: 25 * 1024 * 1024 })),
      '',
    ],
  ])('a deployment with %s is refused', async ([, inlineAssets, place, code = 'parameter_invalid']) => {
    const body = { ...bodyOf(), inlineAssets }
    expect(await refused(body)).toEqual([400, code, `inlineAssets${place}`])
  })

  test('the store is one of the account', async () => {
    const { apiKey } = await platform().addAccount()
    expect((await request(bodyOf(), apiKey)).error).toMatchObject({ code: 'resource_missing', param: 'storeId' })
    expect(await refused({ ...bodyOf(), storeId: 'none' })).toEqual([404, 'resource_missing', 'storeId'])
  })

  test('a plugin without an id is known by its name, however it is written', async () => {
    const named = (name: string, version: string) => call(bodyOf({ manifest: { pluginId: undefined, name, version } }))
    const first = await named('Upsell & More', '1.0.0')
    expect(first.pluginId).toMatch(/^plugin_[0-9A-Za-z]{22}$/)
    expect((await named('upsell   more!', '1.1.0')).pluginId).toBe(first.pluginId)
    expect((await named('Upsell', '1.0.0')).pluginId).not.toBe(first.pluginId)
    const byId = await call(bodyOf({ manifest: { pluginId: first.pluginId ?? '', name: 'Renamed', version: '2.0.0' } }))
    expect(byId.deployment?.plugin).toEqual({ id: first.pluginId, name: 'Renamed', description: '' })
  })

  test('a new deployment is a 201; the same again, a dry run and missing assets are a 200', async () => {
    const body = bodyOf({})
    const missing = bodyOf({ inlineAssets: [{ path: 'a.js', sha256: '0'.repeat(64), size: 1 }] })
    const statuses: number[] = []
    for (const sent of [{ ...body, dryRun: true }, missing, body, body]) {
      statuses.push((await request(sent)).status)
    }
    expect(statuses).toEqual([200, 200, 201, 200])
  })

  test('the same content of a version is the same deployment, and no event', async () => {
    const body = bodyOf()
    const first = await call(body)
    const reordered = Object.fromEntries(Object.entries(body.manifest).toReversed()) as DeployBody['manifest']
    const again = await call({ ...body, manifest: { ...reordered, mode: 'direct-mode' }, sourceData: { build: 2 } })
    expect(again).toEqual(first)
    expect(await eventsOf(first.deploymentId ?? '')).toHaveLength(2)
  })

  test.for<[string, (body: DeployBody) => DeployBody]>([
    ['other text in a file', (body) => ({ ...body, inlineAssets: [{ path: 'index.html', content: 'other' }] })],
    [
      'another path',
      (body) => ({ ...body, inlineAssets: (body.inlineAssets ?? []).map((asset) => ({ ...asset, path: 'x.html' })) }),
    ],
    [
      'another media type',
      (body) => ({
        ...body,
        inlineAssets: (body.inlineAssets ?? []).map((asset) => ({
          ...asset,
          contentType: 'text/html; charset=iso-8859-1',
        })),
      }),
    ],
    ['another manifest', (body) => ({ ...body, manifest: { ...body.manifest, own: 1 } })],
  ])('a version with %s is taken, unless it is to be overwritten', async ([, change]) => {
    const body = bodyOf()
    const first = await call(body)
    expect(await refused(change(body))).toEqual([409, 'resource_exists', 'manifest.version'])
    const second = await call({ ...change(body), overwrite: true })
    expect(second.deploymentId).not.toBe(first.deploymentId)
    expect(second.deployment?.active).toBe(true)
    expect((await rowOf(first.deploymentId ?? ''))['archived_at']).not.toBeNull()
    expect(await call({ ...change(body), overwrite: true })).toEqual(second)
  })

  test('one version of a plugin may stand in two stores', async () => {
    const store = await platform().call(contract.stores.create, { body: { name: 'Second' } })
    const body = bodyOf()
    const [first, second] = [await call(body), await call({ ...body, storeId: store.id })]
    expect(second.pluginId).toBe(first.pluginId)
    expect(second.deploymentId).not.toBe(first.deploymentId)
    expect([first.deployment?.active, second.deployment?.active]).toEqual([true, true])
  })

  it('one content deployed many times at once is one deployment', async () => {
    const body = bodyOf({ manifest: { pluginId: undefined, name: 'At once, the same' } })
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(body)))
    expect(new Set(answers.map(({ deploymentId }) => deploymentId)).size).toBe(1)
    expect(await eventsOf(answers[0]?.deploymentId ?? '')).toHaveLength(2)
  })

  it('of several contents deployed as one version at once, exactly one stands', async () => {
    const body = bodyOf()
    const contents = Array.from({ length: 5 }, (_, n) => [{ path: 'index.html', content: `content ${n}` }])
    const answers = await Promise.all(contents.map((inlineAssets) => request({ ...body, inlineAssets })))
    const statuses = answers.map(({ status }: Answer) => status).toSorted()
    expect(statuses).toEqual([201, 409, 409, 409, 409])
  })

  it('of several that overwrite a version at once, each has its turn and one stands', async () => {
    const body = bodyOf()
    await call(body)
    const contents = ['a', 'b', 'c'].map((content) => [{ path: 'index.html', content }])
    const answers = await Promise.all(contents.map((inlineAssets) => call({ ...body, inlineAssets, overwrite: true })))
    const live = await platform().services.db.read(
      'SELECT id FROM plugin_deployments WHERE plugin_id = ? AND archived_at IS NULL',
      [body.manifest.pluginId ?? ''],
    )
    expect(live).toHaveLength(1)
    expect(answers.map(({ deploymentId }) => deploymentId)).toContain(live[0]?.['id'])
  })

  test('an answer is repeated for its Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': `deploy-${engine}` }
    const body = bodyOf()
    const first = await platform().request('POST', deploy.path, { body, headers })
    const again = await platform().request('POST', deploy.path, { body, headers })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  test('assets that are not stored are named and nothing is deployed; once they are, the same call finishes', async () => {
    const { clock } = platform()
    const content = `stored ${clock.now()} on ${engine}`
    const { sha256, size } = file(content)
    const assets = [
      { path: 'new.js', content: 'sent along' },
      { path: 'a.js', sha256, size },
      { path: 'b.js', sha256, size },
    ]
    const body = bodyOf({ inlineAssets: assets })
    const { pluginId = '' } = body.manifest
    expect(await call(body)).toEqual({
      success: false,
      deploymentId: null,
      pluginId: null,
      version: '1.0.0',
      url: null,
      deployment: null,
      missing: [sha256],
    })
    for (const table of ['plugins WHERE id', 'plugin_deployments WHERE plugin_id']) {
      expect(await platform().services.db.read(`SELECT * FROM ${table} = ?`, [pluginId])).toEqual([])
    }
    const stored = { sha256, size, content: Buffer.from(content).toString('base64') }
    await platform().call(contract.plugins.uploadAssets, { body: { assets: [stored] } })
    const finished = await call(body)
    expect(finished).toMatchObject({ success: true, missing: [], deployment: { size: size * 2 + 10 } })
    const files = await platform().services.db.read(
      'SELECT path, sha256, size, content_type FROM plugin_files WHERE deployment_id = ? ORDER BY path',
      [finished.deploymentId],
    )
    expect(files).toEqual([
      { path: 'a.js', sha256, size, content_type: 'text/javascript; charset=utf-8' },
      { path: 'b.js', sha256, size, content_type: 'text/javascript; charset=utf-8' },
      { path: 'new.js', ...file('sent along'), content_type: 'text/javascript; charset=utf-8' },
    ])
  })

  test('a path has one spelling, however its marks are written', async () => {
    const body = (path: string) =>
      bodyOf({ manifest: { pluginId: 'marks', name: 'Marks' }, inlineAssets: [{ path, content: '' }] })
    const first = await call(body('cafe\u0301.js'))
    expect(await call(body('caf\u00e9.js'))).toEqual(first)
  })

  test('an asset that was deployed once need not be sent again; its size must fit', async () => {
    const content = 'deployed once'
    await call(bodyOf({ inlineAssets: [{ path: 'x', content }] }))
    const { sha256, size } = file(content)
    const named = (said: number) => bodyOf({ inlineAssets: [{ path: 'y', sha256, size: said }] })
    expect(await call(named(size))).toMatchObject({ success: true })
    expect(await refused(named(size + 1))).toEqual([400, 'parameter_invalid', 'inlineAssets[0].size'])
  })

  test('more hashes than fit into one look-up are all found', async () => {
    const contents = Array.from({ length: 230 }, (_, n) => `many ${n}`)
    const sent = contents.map((content, n) => ({ path: `f${n}`, content }))
    await call(bodyOf({ inlineAssets: sent }))
    const named = contents.map((content, n) => ({ path: `f${n}`, ...file(content) }))
    expect(await call(bodyOf({ inlineAssets: named }))).toMatchObject({ success: true })
    const more = [...named, { path: 'one-more', ...file('not there') }]
    expect(await call(bodyOf({ inlineAssets: more }))).toMatchObject({ missing: [file('not there').sha256] })
  })

  test('what another account has stored is missing, and is not told of', async () => {
    const content = 'of the first account alone'
    await call(bodyOf({ inlineAssets: [{ path: 'x', content }] }))
    const { apiKey } = await platform().addAccount()
    const store = await platform().call(contract.stores.create, { body: { name: 'Other' } }, apiKey)
    const { sha256, size } = file(content)
    const named = { ...bodyOf({ inlineAssets: [{ path: 'x', sha256, size }] }), storeId: store.id }
    expect(await call(named, apiKey)).toMatchObject({ success: false, missing: [sha256] })
    const wrongSize = { ...bodyOf({ inlineAssets: [{ path: 'x', sha256, size: size + 1 }] }), storeId: store.id }
    expect(await call(wrongSize, apiKey)).toMatchObject({ success: false, missing: [sha256] })
  })

  test('two accounts may give their plugins one id', async () => {
    const body = bodyOf()
    await call(body)
    const { apiKey } = await platform().addAccount()
    const store = await platform().call(contract.stores.create, { body: { name: 'Other' } }, apiKey)
    const other = await call({ ...body, storeId: store.id, manifest: { ...body.manifest, own: 'other' } }, apiKey)
    expect(other).toMatchObject({ success: true, pluginId: body.manifest.pluginId })
  })

  test('the bytes lie on disk under their hash, once', async () => {
    const content = 'bytes on disk'
    await call(
      bodyOf({
        inlineAssets: [
          { path: 'a', content },
          { path: 'b', content },
        ],
      }),
    )
    const { sha256 } = file(content)
    const folder = join(platform().folder, 'blobs', sha256.slice(0, 2))
    expect(await readFile(join(folder, sha256.slice(2)), 'utf8')).toBe(content)
    expect((await readdir(folder)).filter((name) => name.startsWith(sha256.slice(2)))).toHaveLength(1)
  })
})

describe('large bodies', () => {
  const platform = sharedPlatform()
  const MIB = 1024 * 1024

  it('a deployment may have 25 MiB, and not a byte more', async () => {
    const { local, request } = platform()
    const plain = JSON.stringify(deployBody(local.storeId, { inlineAssets: [{ path: 'a', content: '' }] }))
    const sized = (bytes: number) => plain.replace('"content":""', `"content":"${'x'.repeat(bytes - plain.length)}"`)
    expect((await request('POST', deploy.path, { body: sized(25 * MIB) })).status).toBe(201)
    const larger = await request('POST', deploy.path, { body: sized(25 * MIB + 1) })
    expect([larger.status, larger.error.code]).toEqual([413, 'body_too_large'])
  })

  it('2,000 files are one deployment', async () => {
    const inlineAssets = Array.from({ length: 2_000 }, (_, n) => ({ path: `f${n}.html`, content: `${n % 20}` }))
    expect(await deployPlugin(platform(), { inlineAssets })).toMatchObject({ active: true })
  })

  it('a file may have 25 MiB, and not a byte more', async () => {
    const { request } = platform()
    const path = contract.plugins.uploadAssets.path
    const upload = (bytes: Buffer, size: number) =>
      request('POST', path, {
        body: { assets: [{ sha256: hash('sha256', bytes), size, content: bytes.toString('base64') }] },
      })
    expect((await upload(Buffer.alloc(25 * MIB), 25 * MIB)).status).toBe(200)
    const larger = await upload(Buffer.alloc(25 * MIB + 1), 25 * MIB)
    expect([larger.status, larger.error.param]).toEqual([400, 'assets[0].content'])
  })
})
