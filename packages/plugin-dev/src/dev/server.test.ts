import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createClient } from '@tillwright/client'
import { buildPlugin } from '@tillwright/plugin-build'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devStage, stageFolder, stagePlatform, type StagePlatform } from '../../test/dev-stage.ts'
import { shopFiles, shopManifest } from '../../test/shop-plugin.ts'
import { sessionReader } from '../inspector.ts'
import { startDev } from './server.ts'

let platform: StagePlatform
beforeAll(async () => {
  platform = await stagePlatform()
})
afterAll(() => platform.remove())

test('a page is served with its data, its own modules and the client, and the key stays in the process', async () => {
  const dev = await devStage(platform, shopFiles)
  const html = await (await fetch(dev.url)).text()
  expect(html).toContain('<div id="app">')
  expect(html).toContain('src="/__tillwright/vite/src/pages/pay.tsx"')
  expect(html).toContain('client/main.ts')
  expect(await dev.dataOf('/thanks/order_1')).toMatchObject({
    v: 1,
    pluginId: 'shop',
    page: { id: 'thanks', path: '/thanks/:orderId', params: { orderId: 'order_1' } },
    config: { headline: 'Welcome' },
    templates: { mail: { subject: 'Thanks' } },
    apiUrl: `${dev.url}/__tillwright/api`,
    vaultUrl: platform.local().vaultUrl,
    session: { token: expect.stringMatching(/^fstok_/), isPreview: true },
    funnel: { stepId: 'step-thanks' },
    publishableKey: expect.stringMatching(/^test_pk_/),
  })
  expect(html).not.toContain('_sk_')
  expect(await (await fetch(`${dev.url}/robots.txt`)).text()).toBe('none')
  expect((await fetch(`${dev.url}/nowhere`)).status).toBe(404)
  expect((await fetch(`${dev.url}/favicon.ico`)).status).toBe(204)
})

test('hidden files of the public folder are served as little as they are published', async () => {
  const files = { 'public/.env': 'TOKEN=hunter2', 'public/.git/config': '', 'public/.well-known/pay': 'here' }
  const dev = await devStage(platform, { ...shopFiles, ...files })
  const answers = ['.env', '.git/config', '.well-known/pay'].map((path) => fetch(`${dev.url}/${path}`))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404, 200])
})

test('the session is reached through the same origin, with a line in its order, and steps have addresses here', async () => {
  const dev = await devStage(platform, shopFiles)
  const { session } = (await dev.dataOf('/')) as { session: { token: string } }
  const call = (method: string, path: string, body?: object) =>
    fetch(`${dev.url}/__tillwright/api/api/session/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${session.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).then((response) => response.json())
  expect(await call('GET', 'session')).toMatchObject({
    isPreview: true,
    step: { id: 'step-pay', url: `${dev.url}/` },
    nextStep: { id: 'step-thanks', url: `${dev.url}/thanks/preview` },
    order: { amount: 2_400, lines: [{ quantity: 1 }] },
  })
})

test('a page that leaves before it has its answer is no outage of the platform', async () => {
  const dev = await devStage(platform, shopFiles)
  const { port } = new URL(dev.url)
  const left = Array.from({ length: 20 }, async () => {
    const socket = connect(Number(port), 'localhost')
    await once(socket, 'connect')
    socket.write('GET /__tillwright/api/api/session/v1/session HTTP/1.1\r\nHost: localhost\r\n\r\n')
    setImmediate(() => socket.destroy())
    await once(socket, 'close')
  })
  await Promise.all(left)
  // Behind those, this one is answered.
  await fetch(`${dev.url}/__tillwright/api/api/session/v1/session`)
  expect(dev.events.filter(({ type }) => type === 'platform')).toEqual([])
})

test('of the platform a page and the network reach the session alone, and no key in its reference', async () => {
  const dev = await devStage(platform, shopFiles)
  const { port } = new URL(dev.url)
  const { apiUrl } = platform.local()
  expect(await (await fetch(`${apiUrl}/docs`)).text()).toContain('_sk_')
  const ask = (path: string) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const sent = request({ host: 'localhost', port, path: `/__tillwright/api${path}` }, (answer) => {
        text(answer).then((body) => resolve([answer.statusCode, body]), reject)
      })
      sent.end() // as it is written: `fetch` would resolve the dots
    })
  const up = '/api/session/v1/../../..'
  for (const path of ['/docs', `${up}/docs`, `${up.replaceAll('..', '%2e%2E')}/docs`, '/console/', '/openapi.json']) {
    const [status, body] = await ask(path)
    expect([path, status]).toEqual([path, 404])
    expect(body).not.toContain('_sk_')
  }
})

test('no program that stands in the folder runs on the machine: a build would not run it either', async () => {
  const ran = (name: string) => `require('node:fs').writeFileSync(__dirname + '/ran', '${name}'); module.exports = {}`
  const dev = await devStage(platform, {
    ...shopFiles,
    'postcss.config.cjs': ran('postcss'),
    'vite.config.cjs': ran('vite'),
    'babel.config.cjs': ran('babel'),
    'src/more.scss': 'h2 { color: red }',
    'node_modules/sass/package.json': '{ "name": "sass", "version": "1.0.0", "main": "index.cjs" }',
    'node_modules/sass/index.cjs': ran('sass'),
  })
  for (const file of ['style.css', 'more.scss', 'pages/pay.tsx']) {
    await (await fetch(`${dev.url}/__tillwright/vite/src/${file}`)).text()
  }
  for (const folder of ['', 'node_modules/sass/']) {
    expect(await readFile(join(dev.root, `${folder}ran`), 'utf8').catch(() => null)).toBeNull()
  }
})

test('nothing of the server and its client is in what is published', async () => {
  const root = await stageFolder(shopFiles)
  const { files, problems } = await buildPlugin(root, { environment: {}, target: null })
  expect(problems).toEqual([])
  expect(files.length).toBeGreaterThan(3)
  for (const { path, bytes } of files) {
    expect(Buffer.from(bytes).toString(), path).not.toMatch(
      /tillwright-overlay|tillwright-toolbar|__tillwright|tillwright:problems|import\.meta\.hot/,
    )
  }
})

test('what was made once is found again at the next start', async () => {
  const first = await devStage(platform, shopFiles)
  const before = await first.dataOf('/')
  await first.stop()
  const kept = await readFile(join(first.root, '.tillwright/dev.json'), 'utf8')
  expect((await stat(join(first.root, '.tillwright/dev.json'))).mode & 0o777).toBe(0o600)
  const second = await devStage(platform, {}, { folder: first.root })
  expect(await readFile(join(first.root, '.tillwright/dev.json'), 'utf8')).toContain(
    JSON.parse(kept)[platform.local().local.accountId].funnelId,
  )
  expect((await second.dataOf('/'))['funnel']).toEqual(before['funnel'])
})

test('a taken port is skipped for the next one, and the output says so', async () => {
  const first = await devStage(platform, shopFiles)
  const port = Number(new URL(first.url).port)
  const second = await devStage(platform, shopFiles, { port })
  expect(Number(new URL(second.url).port)).toBeGreaterThan(port)
  expect(second.events.find(({ type }) => type === 'ready')).toMatchObject({ movedFrom: port })
})

test('a folder whose path Vite cannot serve is refused by name, instead of an empty page', async () => {
  for (const mark of ['#', '?']) {
    const folder = join(await stageFolder(shopFiles), `C${mark}`)
    await mkdir(folder)
    const starting = startDev({ folder, findPlatform: () => Promise.reject(new Error('asked')), environment: {} })
    await expect(starting).rejects.toThrow(`${folder} has "${mark}" in its path`)
  }
})

test('the cache of modules is not written through a link that came with the folder', async () => {
  const [root, elsewhere] = [await stageFolder(shopFiles), join(await stageFolder(shopFiles), 'mine')]
  await mkdir(join(root, '.tillwright'))
  await mkdir(elsewhere)
  await symlink(elsewhere, join(root, '.tillwright/vite'))
  const start = startDev({ folder: root, port: 0, findPlatform: platform.find })
  await expect(start).rejects.toThrow('.tillwright/vite is a link')
  expect(await readdir(elsewhere)).toEqual([])
})

test('secrets of the folder are not served, however their addresses are written', async () => {
  const dev = await devStage(platform, { ...shopFiles, '.env.local': 'TOKEN=swordfish' })
  const paths = [
    '.tillwright/dev.json',
    '%2etillwright/dev.json?raw',
    '%252etillwright/dev.json?import&raw',
    '.TILLWRIGHT/dev.json?url',
    '.tillwright/vite/../dev.json?raw',
    '.env.local?raw',
  ]
  for (const path of [...paths, ...paths.map((each) => `@fs${dev.root}/${each}`)]) {
    const response = await fetch(`${dev.url}/__tillwright/vite/${path}`)
    expect(response.status, path).toBeGreaterThanOrEqual(400)
    expect(await response.text(), path).not.toMatch(/swordfish|funnelId/)
  }
  expect((await fetch(`${dev.url}/__tillwright/vite/src/word.ts?raw`)).status).toBe(200)
})

test('a request under another host name, or from another page, is refused', async () => {
  const dev = await devStage(platform, shopFiles)
  const { port } = new URL(dev.url)
  const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<number | undefined>((resolve) => {
      request({ host: 'localhost', port, path, method, headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).end()
    })
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])
    expect(await ask('/', { host })).toBe(421)
  expect(await ask('/__tillwright/renew', { origin: 'https://evil.example' }, 'POST')).toBe(403)
  expect(await ask('/__tillwright/renew', { 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(403)
  expect(await ask('/__tillwright/renew', { 'sec-fetch-site': 'same-origin' }, 'POST')).toBe(200)
})

test('the web socket of modules is not opened for another name', async () => {
  const dev = await devStage(platform, shopFiles)
  const { port } = new URL(dev.url)
  const client = await (await fetch(`${dev.url}/__tillwright/vite/@vite/client`)).text()
  const [, token = ''] = /wsToken = "([^"]+)"/.exec(client) ?? []
  expect(token).not.toBe('')
  const upgraded = (host: string) =>
    new Promise<boolean>((resolve) => {
      const headers = {
        Host: host,
        Origin: `http://${host}`,
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Protocol': 'vite-hmr',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': Buffer.alloc(16, 1).toString('base64'),
      }
      const sent = request({ host: 'localhost', port, path: `/__tillwright/vite/?token=${token}`, headers })
      sent.on('upgrade', (_, socket) => {
        socket.destroy()
        resolve(true)
      })
      sent.on('response', (answer) => {
        answer.resume()
        resolve(false)
      })
      sent.on('error', () => resolve(false))
      sent.end()
    })
  expect(await upgraded(`localhost:${port}`)).toBe(true)
  expect(await upgraded('evil.example')).toBe(false)
})

test('a service worker is answered with the script that removes it, as on a host of plugins', async () => {
  const dev = await devStage(platform, shopFiles)
  for (const path of ['/sw.js', '/__tillwright/vite/src/word.ts']) {
    const answer = await fetch(dev.url + path, { headers: { 'Service-Worker': 'script' } })
    expect([answer.status, answer.headers.get('service-worker-allowed')]).toEqual([200, '/'])
    expect(await answer.text()).toContain('self.registration.unregister()')
  }
})

test('an SDK that the manifest does not allow is a warning, and the page is shown', async () => {
  const manifest = { ...shopManifest, requirements: { sdk: 'own-sdk', sdkVersion: '^2.0.0' } }
  const dev = await devStage(platform, { ...shopFiles, 'plugin.manifest.json': manifest })
  expect((await fetch(dev.url)).status).toBe(200)
  const problem = { code: 'sdk-missing', severity: 'warning', pointer: '/requirements/sdk' }
  expect(dev.events).toContainEqual({ type: 'problems', problems: [expect.objectContaining(problem)] })
})

test('what a key may not read of a session is replaced by the reason, and the rest is read', async () => {
  const dev = await devStage(platform, shopFiles)
  const opened = dev.events.find(({ type }) => type === 'session')
  const sessionId = opened?.type === 'session' ? opened.sessionId : ''
  const read = async (apiKey: string) => {
    const client = createClient({ apiKey, baseUrl: platform.local().apiUrl })
    return sessionReader(sessionId, client).read(['pay_none'])
  }
  const whole = await read(platform.local().local.adminApiKey)
  expect(whole.events.items.map(({ type }) => type)).toContain('s_funnel_session_started')
  const { events, payments, authentications } = await read(await platform.readingKey())
  expect(events).toEqual({ items: [], missing: expect.stringContaining('org:admin') })
  expect(payments.missing).toContain('pay_none')
  expect(authentications).toEqual({ items: [], missing: null })
})

test('a page has no files from elsewhere on this machine, however its plugin asks for them', async () => {
  const elsewhere = await stageFolder({ 'id.key': 'TOPSECRET', 'id.css': '.TOPSECRET { color: red }' })
  const [key, css] = ['id.key', 'id.css'].map((name) => join(elsewhere, name))
  const dev = await devStage(platform, {
    ...shopFiles,
    'src/key.ts': `import key from '${key}?raw'\nexport default key\n`,
    'src/linked.ts': `import key from './link.key?raw'\nexport default key\n`,
    'src/style.css': `@import '${css}';`,
    'src/own.css': `@import './more.css';`,
    'src/more.css': '.own { color: red }',
  })
  await symlink(key ?? '', join(dev.root, 'src/link.key'))
  const ask = async (path: string) => {
    const answer = await fetch(`${dev.url}/__tillwright/vite/${path}`)
    return [answer.status < 400, (await answer.text()).includes('TOPSECRET')]
  }
  for (const module of ['src/key.ts', 'src/linked.ts']) await ask(module) // Vite serves what a module imports
  for (const path of [
    `@fs${key}?import&raw`,
    `@fs/${key}?import&raw`,
    `@fs${key}`,
    `${key?.slice(1)}?import&raw`,
    'src/link.key?import&raw',
    'src/link.key',
    'src/style.css',
    'src/style.css?import',
    'src/style.css?direct',
  ]) {
    expect([path, ...(await ask(path))]).toEqual([path, false, false])
  }
  for (const path of ['src/word.ts', 'src/own.css?import', '@vite/client'])
    expect([path, ...(await ask(path))]).toEqual([path, true, false])
  const client = /"\/__tillwright\/vite\/([^"]*client\/main\.ts)"/.exec(await (await fetch(dev.url)).text())?.[1] ?? ''
  const seen = new Set([client])
  for (const module of seen) {
    const code = await (await fetch(`${dev.url}/__tillwright/vite/${module}`)).text()
    expect([module, code.startsWith('Files of other folders')]).toEqual([module, false])
    for (const [, next = ''] of code.matchAll(/from "\/__tillwright\/vite\/([^"]+)"/g)) seen.add(next)
  }
  expect(seen.size).toBeGreaterThan(5)
})

test('a package that is a link to another folder of this machine is none, neither here nor in a build', async () => {
  const elsewhere = await stageFolder({ 'data.json': '{"key":"TOPSECRET"}', 'package.json': { name: 'home' } })
  const dev = await devStage(platform, {
    ...shopFiles,
    'src/pages/pay.tsx': `import data from 'evil/data.json'\ndocument.title = data.key\n`,
    'node_modules/.keep': '',
  })
  await symlink(elsewhere, join(dev.root, 'node_modules/evil'))
  const page = await (await fetch(`${dev.url}/__tillwright/vite/src/pages/pay.tsx`)).text()
  const addresses = [...page.matchAll(/from "([^"]+)"/g)].map(([, address = '']) => dev.url + address)
  const imported = await Promise.all(addresses.map(async (address) => (await fetch(address)).text()))
  expect([page, ...imported].join('')).not.toContain('TOPSECRET')
  const built = await buildPlugin(dev.root, { environment: {}, target: null })
  expect(built.files).toEqual([])
  expect(built.problems).toMatchObject([{ code: 'file-outside', file: 'src/pages/pay.tsx' }])
})
