import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { errorBody } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../.ci/free-port.ts'
import { sharedPlatform, startTestPlatform } from '../../test/test-platform.ts'

const platform = sharedPlatform()
const STORES = '/api/public/v1/stores/create'
const TEST_KEY = '/api/public/v1/auth/test'
const STORE = '{"name":"Shop"}'

/** The head of a request with these headers and a good key. */
function head(request: string, headers: readonly string[] = []): string {
  const { local } = platform()
  const lines = [`${request} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${local.apiKey}`, ...headers]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Writes bytes as they are and reads what comes back until the service hangs up. */
async function exchange(bytes: string, port = Number(new URL(platform().apiUrl).port)): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}) // the service hangs up on what it cannot follow
  socket.write(bytes)
  return text(socket)
}

const statuses = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
const last = ['Connection: close']
const typed = 'Content-Type: application/json'

async function storesAre(count: number): Promise<void> {
  const [row] = await platform().services.db.read('SELECT count(*) AS n FROM stores', [])
  expect(row).toEqual({ n: count })
}

test.for([
  ['a length that is no number', 'Content-Length: abc'],
  ['a negative length', 'Content-Length: -1'],
  ['a length with a sign', 'Content-Length: +15'],
  ['two lengths', 'Content-Length: 15\r\nContent-Length: 16'],
  ['a length beside chunks', 'Content-Length: 15\r\nTransfer-Encoding: chunked'],
  ['an unknown encoding', 'Transfer-Encoding: gzip, x'],
  ['a space before a colon', 'Content-Length : 15'],
  ['a header over two lines', 'X-Long: a\r\n b\r\nContent-Length: 15'],
])('a request with %s is refused and creates nothing', async ([, headers = '']) => {
  const answers = await exchange(head(`POST ${STORES}`, [typed, headers]) + STORE)
  expect(statuses(answers)).toEqual([400])
  await storesAre(1)
})

test('a probe of a server in HTTP/1.0, which names no host, is answered', async () => {
  const port = await freePort()
  const server = await startTestPlatform({ environment: 'production', env: { TILLWRIGHT_PORT: String(port) } })
  onTestFinished(() => server.remove())
  expect(statuses(await exchange('GET /readyz HTTP/1.0\r\n\r\n', port))).toEqual([200])
})

test('a body that is longer than it says is cut there, and the rest is not taken for a request', async () => {
  const answers = await exchange(head(`POST ${STORES}`, [typed, 'Content-Length: 10']) + STORE)
  expect(new Set(statuses(answers))).toEqual(new Set([400]))
  await storesAre(1)
})

test('an unread body is not taken for a request', async () => {
  const hidden = head(`POST ${STORES}`, [typed, `Content-Length: ${STORE.length}`]) + STORE
  for (const method of ['GET', 'POST']) {
    const carrier = head(`${method} ${TEST_KEY}`, [`Content-Length: ${hidden.length}`]) + hidden
    expect(statuses(await exchange(carrier + head(`GET ${TEST_KEY}`, last)))).toEqual([200, 200])
  }
  await storesAre(1)
})

test('chunks without an end are refused as soon as they are too many', async () => {
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const answers = await exchange(head(`POST ${STORES}`, [typed, 'Transfer-Encoding: chunked']) + chunk.repeat(20))
  expect(statuses(answers)).toEqual([413])
  expect(answers).toContain('body_too_large')
})

test('a chunk whose length is none is refused', async () => {
  const answers = await exchange(
    `${head(`POST ${STORES}`, [typed, 'Transfer-Encoding: chunked'])}xyz\r\n${STORE}\r\n0\r\n\r\n`,
  )
  expect(statuses(answers)).toEqual([400])
  await storesAre(1)
})

test('headers without an end are refused', async () => {
  const answers = await exchange(head(`GET ${TEST_KEY}`, [`X-Long: ${'x'.repeat(20_000)}`]))
  expect(statuses(answers)).toEqual([431])
})

test('a chunked body of a good length is read', async () => {
  const answers = await exchange(
    `${head(`POST ${STORES}`, [typed, 'Transfer-Encoding: chunked', ...last])}f\r\n${STORE}\r\n0\r\n\r\n`,
  )
  expect(statuses(answers)).toEqual([201])
})

test.for([
  ['malformed HTTP', 'NONSENSE\r\n\r\n', 400, 'http_invalid'],
  ['another protocol', '\x16\x03\x01\x02\x00\x01\x00', 400, 'http_invalid'],
  ['large headers', `GET ${TEST_KEY} HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['a long address', `GET ${TEST_KEY}?q=${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 414, 'address_too_long'],
] as const)('%s is answered with the body of an error', async ([, bytes, status, code]) => {
  const answer = await exchange(bytes)
  expect(statuses(answer)).toEqual([status])
  const [lines = '', body = ''] = answer.split('\r\n\r\n')
  expect(lines.toLowerCase()).toContain('content-type: application/json; charset=utf-8')
  const { error } = errorBody.parse(JSON.parse(body))
  expect(error).toMatchObject({ code, docUrl: `${platform().apiUrl}/docs/errors#${code}` })
  expect(lines.toLowerCase()).toContain(`x-request-id: ${error.requestId.toLowerCase()}`)
})

test('a browser that opens a page with too many cookies is told so on a page', async () => {
  const lines = ['GET /checkout HTTP/1.1', 'Host: x', 'Accept: text/html', `Cookie: a=${'x'.repeat(20_000)}`]
  const answer = await exchange(`${lines.join('\r\n')}\r\n\r\n`)
  expect(statuses(answer)).toEqual([431])
  expect(answer.toLowerCase()).toContain('content-type: text/plain; charset=utf-8')
  expect(answer).toMatch(/\r\n\r\nThe headers of this request are too large\..* load the page again\.$/)
})
