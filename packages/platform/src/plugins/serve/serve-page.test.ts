import { hash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newFunnel } from '../../../test/new-funnel.ts'
import { deployBody, type DeployBody, deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { dataIn, visit } from '../../../test/plugins/visit.ts'
import { sharedPlatform, ruleEngines } from '../../../test/test-platform.ts'

const SCRIPT = 'console.log("pay")\n'.repeat(40)
const files: DeployBody['inlineAssets'] = [
  { path: 'index.html', content: '<!doctype html><html><head><title>Shop</title></head><body>home</body></html>' },
  { path: 'pages/offer.html', content: '<!doctype html><title>Offer</title>offer' },
  { path: 'assets/app-QK2WMH3F.js', content: SCRIPT },
  { path: 'assets/app-QK2WMH3F.js.map', content: '{"version":3}' },
  { path: 'logo.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
]
const pages = [
  { id: 'home', path: '/home', isDefault: true },
  { id: 'offer', path: '/offers/:offerId' },
]

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const hostOf = (url: string) => new URL(url).host

  async function deployed(mode: 'direct-mode' | 'spa-mode' = 'direct-mode') {
    const deployment = await deployPlugin(platform(), { manifest: { pages, mode }, inlineAssets: files })
    const host = hostOf(deployment.url)
    const get = (path: string, headers = {}, method = 'GET') => visit(platform(), { host, path, headers, method })
    return { deployment, host, get }
  }

  test('each page of a plugin in direct mode is its own document, and the default page is at the root too', async () => {
    const { get } = await deployed()
    for (const [path, text] of [
      ['/', 'home'],
      ['/home', 'home'],
      ['/home/?utm=1', 'home'],
      ['/offers/42', 'Offer'],
    ] as const) {
      const page = await get(path)
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.text).toContain(text)
    }
    for (const path of ['/offers', '/offers/42/more', '/unknown', '/assets', '/api/public/v1/auth/test', '/docs']) {
      expect((await get(path)).status, path).toBe(404)
    }
    // Browsers ask for it unasked, and would complain of a 404 in every page's console.
    expect((await get('/favicon.ico')).status).toBe(204)
  })

  test('an application is the document of all its pages, and of nothing else', async () => {
    const { get } = await deployed('spa-mode')
    expect((await get('/offers/42')).text).toContain('home')
    expect((await get('/offers')).status).toBe(404)
  })

  test("a page with a card form has the form's loader fetched beside its own scripts, and no other page has", async () => {
    const checkout = { id: 'checkout', path: '/checkout', features: [{ type: 'checkout' }] }
    const manifest = { pages: [...pages, checkout], mode: 'spa-mode' as const }
    const { url } = await deployPlugin(platform(), { manifest, inlineAssets: files })
    const linkOf = async (path: string) => (await visit(platform(), { host: hostOf(url), path })).headers['link']
    expect(await linkOf('/checkout')).toBe(`<${platform().vaultUrl}/v1/tillwright.js>; rel=preload; as=script`)
    expect(await linkOf('/home')).toBeUndefined()
  })

  test('a page gets its surroundings, without anything secret', async () => {
    const { deployment, get } = await deployed()
    const body = {
      deploymentId: deployment.id,
      presets: { default: { colour: '</script><b>\u2028', meta: { title: 'D' } }, other: { colour: 'red' } },
    }
    await platform().call(contract.plugins.syncConfig, { body })
    const { text } = await get('/offers/42%20%3Cb%3E')
    const data = dataIn(text)
    const { local, vaultUrl } = platform()
    expect(data).toEqual({
      v: 1,
      apiUrl: new URL(deployment.url).origin,
      vaultUrl,
      publishableKey: expect.stringMatching(/^test_pk_[0-9A-Za-z]{36}$/),
      storeId: local.storeId,
      deploymentId: deployment.id,
      pluginId: deployment.pluginId,
      version: '1.0.0',
      basePath: '/',
      page: { id: 'offer', path: '/offers/:offerId', params: { offerId: '42 <b>' } },
      config: { colour: '</script><b>\u2028' },
      templates: {},
      funnel: null,
      locale: null,
      currency: 'USD',
      session: null,
    })
    expect(text).not.toMatch(/_sk_|\u2028/)
    expect(text).toContain('<base href="/">')
    expect((await get('/home')).text).not.toContain('<base')
  })

  test("a page works with the author's default preset until the merchant has chosen another one", async () => {
    const manifest = { pages, defaultPreset: 'night' }
    const { id: deploymentId, url } = await deployPlugin(platform(), { manifest, inlineAssets: files })
    const presets = { default: { colour: 'grey' }, day: { colour: 'white' }, night: { colour: 'black' } }
    await platform().call(contract.plugins.syncConfig, { body: { deploymentId, presets } })
    const colour = async () => dataIn((await visit(platform(), { host: hostOf(url), path: '/home' })).text)['config']
    expect(await colour()).toEqual({ colour: 'black' })
    await platform().call(contract.pluginManagement.updateSettings, { body: { deploymentId, activePreset: 'day' } })
    expect(await colour()).toEqual({ colour: 'white' })
  })

  test('a page gets the funnel that it belongs to', async () => {
    const { deployment, get } = await deployed()
    const { pluginId } = deployment
    const steps = [
      { type: 'landing', name: 'Home', path: '/', pluginId, pageId: 'home' },
      { type: 'offer', name: 'Offer', path: '/offer', pluginId, pageId: 'offer' },
    ]
    const funnel = await newFunnel(platform(), { steps })
    const data = dataIn((await get('/offers/42')).text)
    expect(data['funnel']).toEqual({ id: funnel.id, stepId: funnel.steps[1]?.id })
  })

  test('the origins that a manifest names are in the policy of its pages, and others are refused', async () => {
    const security = {
      connect: ['https://api.reviews.example'],
      font: ['https://fonts.example'],
      frame: ['https://maps.example:8443'],
    }
    const { url } = await deployPlugin(platform(), { manifest: { pages, security }, inlineAssets: files })
    const page = await visit(platform(), { host: hostOf(url) })
    const policy = String(page.headers['content-security-policy'])
    const { apiUrl, vaultUrl } = platform()
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        `connect-src 'self' ${apiUrl} ${vaultUrl} https://api.reviews.example`,
        "font-src 'self' data: https://fonts.example",
        `frame-src ${vaultUrl} https://maps.example:8443`,
        `script-src 'self' ${vaultUrl}`,
      ]),
    )
    for (const wrong of [{ script: ['https://cdn.example'] }, { connect: ['https://a.example; script-src *'] }]) {
      const { local, request } = platform()
      const body = deployBody(local.storeId, { manifest: { security: wrong } })
      const { status, error } = await request('POST', contract.plugins.deploy.path, { body })
      expect([status, error.param?.startsWith('manifest.security')]).toEqual([400, true])
    }
  })

  test("a page's key begins sessions from its own origin and from no other", async () => {
    const { host, get } = await deployed()
    const { publishableKey: key } = dataIn((await get('/')).text)
    const begin = (origin: string) =>
      platform().request('POST', contract.session.begin.path, {
        key: String(key),
        body: { storeId: platform().local.storeId },
        headers: { Origin: origin },
      })
    const begun = await begin(`http://${host}`)
    expect(begun.status, begun.text).toBe(201)
    expect((await begin('https://elsewhere.example')).status).toBe(401)
    expect(dataIn((await get('/home')).text)['publishableKey']).toBe(key)
    await platform().restart()
    expect((await begin(`http://${host}`)).status).toBe(201)
  })

  test('a document is asked about each time, and a hashed file for a year', async () => {
    const { get } = await deployed()
    const page = await get('/')
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', etag: `"${hash('sha256', page.text)}"` })
    const again = await get('/', { 'If-None-Match': `W/"x", ${page.headers.etag}` })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', page.headers.etag])
    const file = await get('/assets/app-QK2WMH3F.js')
    expect(file.text).toBe(SCRIPT)
    expect(file.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      etag: `"${hash('sha256', SCRIPT)}"`,
      'accept-ranges': 'bytes',
      vary: 'Accept-Encoding',
    })
    const same = await get('/assets/app-QK2WMH3F.js', { 'If-None-Match': file.headers.etag })
    expect([same.status, same.headers['cache-control']]).toEqual([304, 'public, max-age=31536000, immutable'])
    expect((await get('/logo.svg')).headers['cache-control']).toBe('no-cache')
  })

  test('who takes Brotli gets it, under a tag of its own', async () => {
    const { get } = await deployed()
    for (const path of ['/', '/assets/app-QK2WMH3F.js']) {
      const plain = await get(path)
      const small = await get(path, { 'Accept-Encoding': 'gzip, br;q=0.5' })
      expect([small.headers['content-encoding'], small.headers.vary]).toEqual(['br', 'Accept-Encoding'])
      expect(brotliDecompressSync(small.bytes).toString()).toBe(plain.text)
      expect(small.headers.etag).not.toBe(plain.headers.etag)
      const tagged = { 'Accept-Encoding': 'br', 'If-None-Match': small.headers.etag }
      expect((await get(path, tagged)).status).toBe(304)
      expect((await get(path, { 'Accept-Encoding': 'br;q=0, gzip' })).headers['content-encoding']).toBeUndefined()
    }
  })

  test('HEAD answers what GET does, without the content', async () => {
    const { get } = await deployed()
    for (const path of ['/', '/assets/app-QK2WMH3F.js', '/unknown']) {
      const full = await get(path)
      const head = await get(path, {}, 'HEAD')
      expect([head.status, head.bytes.length]).toEqual([full.status, 0])
      expect({ ...head.headers, date: '' }).toEqual({ ...full.headers, date: '' })
      expect(full.headers['content-length']).toBe(String(full.bytes.length))
    }
    const post = await get('/', {}, 'POST')
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('one range of a file is answered as that part, compressed or not', async () => {
    const { get } = await deployed()
    const path = '/assets/app-QK2WMH3F.js'
    const size = SCRIPT.length
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 10],
      ['bytes=-5', size - 5, size],
      [`bytes=${size - 3}-`, size - 3, size],
      ['bytes=5-999999', 5, size],
    ] as const) {
      const part = await get(path, { Range: range, 'Accept-Encoding': 'br' })
      expect([part.status, part.text]).toEqual([206, SCRIPT.slice(from, to)])
      expect(part.headers['content-range']).toBe(`bytes ${from}-${to - 1}/${size}`)
    }
    const beyond = await get(path, { Range: `bytes=${size}-` })
    expect([beyond.status, beyond.headers['content-range'], beyond.text]).toEqual([416, `bytes */${size}`, ''])
    const other = await get(path, { Range: 'bytes=0-9', 'If-Range': '"other"' })
    expect([other.status, other.text]).toEqual([200, SCRIPT])
  })

  test('source maps are kept and never served', async () => {
    const { get } = await deployed()
    expect((await get('/assets/app-QK2WMH3F.js.map')).status).toBe(404)
  })

  test('every answer is guarded, and no cookie is set', async () => {
    const { get } = await deployed()
    for (const path of ['/', '/assets/app-QK2WMH3F.js', '/unknown']) {
      const { headers } = await get(path)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
      expect(headers['set-cookie']).toBeUndefined()
    }
    expect((await get('/logo.svg')).headers['content-security-policy']).toContain('sandbox')
  })

  test('a page on a domain begins at its base path, and the longest one that fits wins', async () => {
    const { deployment } = await deployed()
    const second = await deployPlugin(platform(), {
      inlineAssets: [{ path: 'index.html', content: '<title>Second</title>' }],
      manifest: { pages: [{ id: 'a', path: '/' }] },
    })
    const promote = (deploymentId: string, basePath: string) =>
      platform().call(contract.plugins.promoteToCustomDomain, {
        body: { deploymentId, customDomain: 'pages.example.com', basePath },
      })
    await promote(deployment.id, '/shop')
    await promote(second.id, '/shop/second')
    const get = (path: string) => visit(platform(), { host: 'PAGES.example.com.:8080', path })
    const page = await get('/shop/offers/7')
    expect(dataIn(page.text)).toMatchObject({
      apiUrl: platform().apiUrl,
      basePath: '/shop',
      page: { id: 'offer', params: { offerId: '7' } },
    })
    expect(page.text).toContain('<base href="/shop/">')
    expect((await get('/shop')).text).toContain('<base href="/shop/">')
    expect((await get('/shop/assets/app-QK2WMH3F.js')).text).toBe(SCRIPT)
    expect((await get('/shop/second')).text).toContain('Second')
    for (const path of ['/', '/shopping', '/assets/app-QK2WMH3F.js']) expect((await get(path)).status, path).toBe(404)
  })

  test("an unknown host is the API, and one under the plugins' host is a page that says so", async () => {
    const { pluginsHost } = {
      pluginsHost: hostOf((await deployed()).deployment.url)
        .split('.')
        .slice(1)
        .join('.'),
    }
    expect((await visit(platform(), { host: 'nobody.example', path: '/api/none' })).status).toBe(421)
    for (const host of [pluginsHost, `unknown.${pluginsHost}`, `a.b.${pluginsHost}`, `a--b.${pluginsHost}`]) {
      const page = await visit(platform(), { host, path: '/api/public/v1/auth/test' })
      expect([page.status, page.headers['content-type']], host).toEqual([404, 'text/html; charset=utf-8'])
    }
  })
})
