import { hash } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { visit } from '../../../test/plugins/visit.ts'
import { sharedPlatform } from '../../../test/test-platform.ts'

const platform = sharedPlatform()
let host = ''
beforeAll(async () => {
  const { url } = await deployPlugin(platform(), {
    manifest: { pages: [{ id: 'any', path: '/:what' }] },
    inlineAssets: [
      { path: 'index.html', content: '<title>page</title>' },
      { path: 'a/b.txt', content: 'file' },
      { path: 'secret.js.map', content: '{}' },
    ],
  })
  host = new URL(url).host
})

/** Sends a request as bytes, since no client would. */
async function raw(head: string): Promise<string> {
  const socket = connect(Number(new URL(platform().apiUrl).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`${head}\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

test.for([
  ['..', '/../../../../etc/passwd'],
  ['.. in the middle', '/a/../../etc/passwd'],
  ['.. that is encoded', '/%2e%2e/%2e%2e/etc/passwd'],
  ['.. that is encoded twice', '/%252e%252e%252fetc%252fpasswd'],
  ['an encoded slash', '/a%2fb.txt'],
  ['an encoded backslash', '/a%5cb.txt'],
  ['two slashes', '//a/b.txt'],
  ['a NUL', '/a/b.txt%00.html'],
  ['an end of a line', '/a%0d%0aSet-Cookie:%20stolen=1'],
  ['bytes that are no text', '/%c0%ae%c0%ae/'],
  ['half an escape', '/%'],
])('a path with %s is refused', async ([, path]) => {
  const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: ${host}`)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).not.toMatch(/set-cookie|root:/i)
  expect(answer).toContain('This address cannot be read')
})

test.for([
  ['capitals', (name: string) => name.toUpperCase(), 200],
  ['a dot at the end', (name: string) => name.replace(/(:\d+)?$/, '.$1'), 200],
  ['another port', (name: string) => name.replace(/:\d+$/, ':1'), 200],
  ['a label in front', (name: string) => `x.${name}`, 404],
  ['an unknown label', (name: string) => name.replace(/^[^.]+/, 'unknown'), 404],
  ['an unknown alias', (name: string) => name.replace(/^[^.]+/, 'a--b'), 404],
  ["the plugins' host itself", (name: string) => name.replace(/^[^.]+\./, ''), 404],
] as const)('a host with %s', async ([, change, status]) => {
  const answer = await visit(platform(), { host: change(host) })
  expect(answer.status).toBe(status)
  expect(answer.text).toContain(status === 200 ? '<title>page</title>' : status === 404 ? '404' : '')
})

test.for([
  '127.0.0.1',
  '[::1]:80',
  '0x7f.1',
  `${'x'.repeat(64)}.plugins.localhost`,
  'localhost',
  'a b',
  `${'x'.repeat(300)}.example`,
  'evil.example',
])('the host %j shows no page of a plugin', async (name) => {
  const answer = await raw(`GET /anything HTTP/1.1\r\nHost: ${name}`)
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(answer).not.toContain('<title>page</title>')
})

test('two hosts in one request are refused', async () => {
  expect(await raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example`)).toMatch(/^HTTP\/1\.1 400 /)
})

test('a backslash in an address is refused before anything looks at it', async () => {
  expect(await raw(`GET /a\\b.txt HTTP/1.1\r\nHost: ${host}`)).toMatch(/^HTTP\/1\.1 400 /)
})

test('an address with a host of its own does not lead to another host', async () => {
  const answer = await raw(`GET http://evil.example/ HTTP/1.1\r\nHost: ${host}`)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
})

test.for([
  'bytes=0-0,2-2',
  'bytes=-',
  'bytes=a-b',
  'bytes=5-2',
  'lines=1-2',
  'bytes=0x1-',
  `bytes=${'9'.repeat(400)}-`,
])('the range %j is nonsense and means the whole file', async (range) => {
  const answer = await visit(platform(), { host, path: '/a/b.txt', headers: { Range: range } })
  expect([answer.status, answer.text]).toEqual([200, 'file'])
})

test('a source map is not shown by any spelling', async () => {
  for (const path of ['/secret.js.map', '/secret.js.map/', '/secret.js%2emap', '/secret.js.map?x', '/SECRET.js.map']) {
    expect((await visit(platform(), { host, path })).text, path).not.toBe('{}')
  }
})

test('what stands in an address is text in a page, and runs in no way', async () => {
  const nasty = encodeURIComponent('<script>alert(1)<!--')
  const { text: html, headers } = await visit(platform(), { host, path: `/${nasty}` })
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(headers['content-security-policy']).not.toContain(hash('sha256', 'alert(1)<!--', 'base64'))
  expect(headers['content-security-policy']).not.toContain('unsafe')
})

test('no page tells of the platform behind it', async () => {
  for (const path of ['/a/b/c', '/%']) {
    const { text: html, headers } = await visit(platform(), { host, path })
    expect(html).not.toMatch(/tillwright|\bnode\b|sqlite|\b(?:dep|store|acc)_/i)
    expect(Object.keys(headers)).not.toContain('x-powered-by')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; frame-ancestors 'self'$/,
    )
  }
})
