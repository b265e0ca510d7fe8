/*
 * The attacker: the author of a version that was removed, or a domain's former owner. A service worker
 * that was registered then answers for the host as long as the browser keeps it, whatever is deployed since.
 */
import { once } from 'node:events'
import { createServer, request, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contract } from '@tillwright/contract'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { deployPlugin } from '../test/plugins/deploy-plugin.ts'
import { visit } from '../test/plugins/visit.ts'
import { sharedPlatform } from '../test/test-platform.ts'

const platform = sharedPlatform()

const ANSWERS_ALL = `
  self.addEventListener('install', () => self.skipWaiting())
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
  self.addEventListener('fetch', (event) => event.respondWith(
    new Response('<!doctype html><title>first</title>', { headers: { 'Content-Type': 'text/html' } })))
`
/** Registers a worker and waits for its end: `ready` never comes for one that has unregistered itself meanwhile. */
const REGISTERS = `navigator.serviceWorker.register('/sw.js').then((registration) => new Promise((done) => {
  const worker = registration.installing ?? registration.waiting ?? registration.active
  const look = () => ['activated', 'redundant'].includes(worker?.state ?? 'redundant')
    ? done() : worker.addEventListener('statechange', look, { once: true })
  look()
}), () => {}).then(() => { document.body.dataset.registered = 'done' })`

const versionOf = (version: string, more: { path: string; content: string }[] = []) => ({
  version,
  pages: [{ id: 'home', path: '/', isDefault: true }],
  files: [
    {
      path: 'index.html',
      content: `<!doctype html><html><head><title>${version}</title></head><body><script src="/app.js"></script></body></html>`,
    },
    ...more,
  ],
})

async function newPage(): Promise<Page> {
  const context = await (await sharedChromium()).newContext()
  onTestFinished(() => context.close())
  return context.newPage()
}

const registrations = (page: Page) =>
  page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')

async function titleAt(page: Page, url: string): Promise<string> {
  await page.goto(url)
  return page.title()
}

test('what the first version of a plugin registers does not answer for the second, and what pages stored stays', async () => {
  const { call, local, apiUrl } = platform()
  const first = versionOf('1.0.0', [
    { path: 'app.js', content: `localStorage.setItem('cart', 'kept'); ${REGISTERS}` },
    { path: 'sw.js', content: ANSWERS_ALL },
  ])
  const { id, pluginId } = await deployPlugin(platform(), {
    manifest: { version: first.version, pages: first.pages },
    inlineAssets: first.files,
  })
  const hostname = 'switched.localhost'
  await call(contract.plugins.promoteToCustomDomain, {
    body: { pluginId, storeId: local.storeId, hostname, path: '/' },
  })
  const url = `http://${hostname}:${new URL(apiUrl).port}/`
  const page = await newPage()
  expect(await titleAt(page, url)).toBe('1.0.0')
  await page.evaluate(REGISTERS)

  const second = versionOf('2.0.0', [{ path: 'app.js', content: '' }])
  await deployPlugin(platform(), {
    manifest: { pluginId, version: second.version, pages: second.pages },
    inlineAssets: second.files,
  })
  await call(contract.pluginManagement.remove, { params: { deploymentId: id } })
  expect(await titleAt(page, url)).toBe('2.0.0')
  expect(await page.evaluate("localStorage.getItem('cart')")).toBe('kept')
  await expect.poll(() => registrations(page)).toBe(0)
})

test('what a domain registered before it came here is gone after one visit, the path of its script included', async () => {
  const { call, apiUrl } = platform()
  const hostname = 'moved.localhost'
  const files = versionOf('2.0.0', [{ path: 'app.js', content: '' }])
  const { id } = await deployPlugin(platform(), {
    manifest: { version: files.version, pages: files.pages },
    inlineAssets: files.files,
  })
  await call(contract.plugins.promoteToCustomDomain, { body: { deploymentId: id, customDomain: hostname } })
  // The same address, first at the former host of the domain, then here.
  let answer: RequestListener = (incoming, response) => {
    const isWorker = incoming.url === '/old/assets/sw.js'
    response.writeHead(200, {
      'Content-Type': isWorker ? 'text/javascript' : 'text/html',
      'Cache-Control': isWorker ? 'max-age=86400' : 'no-store',
      'Service-Worker-Allowed': '/',
    })
    response.end(isWorker ? ANSWERS_ALL : '<!doctype html><title>first</title><body>')
  }
  const server = createServer((incoming, response) => answer(incoming, response)).listen(0, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://${hostname}:${(server.address() as AddressInfo).port}/`
  const page = await newPage()
  await page.goto(url)
  await page.evaluate(
    "navigator.serviceWorker.register('/old/assets/sw.js', { scope: '/' }).then(() => navigator.serviceWorker.ready).then(() => 0)",
  )
  expect(await registrations(page)).toBe(1)
  answer = ({ url: path, method, headers }, response) => {
    const sent = request(apiUrl + path, { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(response)
    })
    sent.end()
  }
  expect(await titleAt(page, url)).toBe('first') // the browser sends no request, until the page is there
  await expect.poll(() => registrations(page)).toBe(0)
  expect(await titleAt(page, url)).toBe('2.0.0')
})

test('every host answers for a service worker with the script that removes it, whatever stands there', async () => {
  const { url, id } = await deployPlugin(platform(), {
    inlineAssets: [
      { path: 'index.html', content: '<title>page</title>' },
      { path: 'sw.js', content: ANSWERS_ALL },
    ],
  })
  expect(id).toMatch(/^dep_/)
  const { host, hostname } = new URL(url)
  const unknown = hostname.replace(/^[^.]+/, 'unknown')
  for (const [asked, path] of [
    [host, '/sw.js'],
    [host, '/none.js'],
    [unknown, '/sw.js'],
    ['taken-off.example.com', '/sw.js'],
  ] as const) {
    const headers = { 'Service-Worker': 'script' }
    const { status, text, headers: received } = await visit(platform(), { host: asked, path, headers })
    expect([asked, path, status]).toEqual([asked, path, 200])
    expect(text).toContain('self.registration.unregister()')
    expect(received).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': "default-src 'none'",
    })
  }
  // The file itself can be read as any other, and not registered.
  expect((await visit(platform(), { host, path: '/sw.js' })).text).toContain('respondWith')
})
