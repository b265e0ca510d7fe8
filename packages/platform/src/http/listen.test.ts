import { once } from 'node:events'
import { Agent } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { sendRequest } from '../../test/send-request.ts'
import type { App } from './operations/api-app.ts'
import { CannotListen, listen, type Listening } from './listen.ts'

const here = { host: '127.0.0.1', setting: 'TILLWRIGHT_PORT', portsTried: 50 } as const

/** An app whose one answer waits until it is let go, on a server that ends with the test. */
async function slowServer() {
  const asked = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const app: App = new Hono()
  app.get('/slow', async (c) => {
    asked.resolve()
    await letGo.promise
    return c.text('done')
  })
  app.get('/', (c) => c.text('here'))
  const listening = await listening0()
  listening.serve(app)
  return { listening, url: `http://127.0.0.1:${listening.port}`, asked: asked.promise, letGo: letGo.resolve }
}

async function listening0(port = 0): Promise<Listening> {
  const listening = await listen({ ...here, port })
  onTestFinished(() => listening.stop().catch(() => {}))
  return listening
}

async function take(port = 0): Promise<Server & { port: number }> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address() as AddressInfo // it listens on TCP
  return Object.assign(server, { port: address.port })
}

test('where the wanted port is taken, a later one is used', async () => {
  const { port } = await take()
  const listening = await listening0(port)
  expect(listening.port).toBeGreaterThan(port)
  expect(listening.port).toBeLessThanOrEqual(port + 50)
})

test('outside local a taken port is refused with the setting that names it', async () => {
  const { port } = await take()
  const refused = listen({ host: '127.0.0.1', port, setting: 'TILLWRIGHT_VAULT_PORT', portsTried: 0 })
  await expect(refused).rejects.toThrow(
    new RegExp(`127\\.0\\.0\\.1:${port} \\(EADDRINUSE\\): the port is in use.*TILLWRIGHT_VAULT_PORT`),
  )
})

test('while it drains it accepts, and ends each connection with its response', async () => {
  const { listening, url } = await slowServer()
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  expect((await sendRequest('GET', url, { agent })).headers['connection']).toBe('keep-alive')
  listening.drain()
  for (let i = 0; i < 2; i++) {
    const { status, headers } = await sendRequest('GET', url, { agent })
    expect([status, headers['connection']]).toEqual([200, 'close'])
  }
})

test('a stop waits for what a request began whose client has left', async () => {
  const { listening, url, asked, letGo } = await slowServer()
  const leaving = new AbortController()
  const left = fetch(`${url}/slow`, { signal: leaving.signal }).catch(() => null)
  await asked
  leaving.abort()
  await left
  let isStopped = false
  const stopped = listening.stop().then(() => (isStopped = true))
  await once(await take(), 'close', { signal: AbortSignal.timeout(50) }).catch(() => {})
  expect(isStopped).toBe(false)
  letGo()
  await stopped
})

test('probes are answered while everything else waits for the start', async () => {
  const listening = await listening0()
  const url = `http://127.0.0.1:${listening.port}`
  const waiting = sendRequest('GET', url)
  const probes = await Promise.all(['/livez', '/startupz', '/readyz'].map((path) => sendRequest('GET', url + path)))
  expect(probes.map(({ status, text: body }) => [status, body])).toEqual([
    [200, '{"status":"ok"}'],
    [503, '{"status":"starting"}'],
    [503, '{"status":"starting"}'],
  ])
  const app: App = new Hono()
  app.get('/', (c) => c.text('here'))
  listening.serve(app)
  expect((await waiting).text).toBe('here')
})

test('a stop lets the request under way finish, and takes no other', async () => {
  const { listening, url, asked, letGo } = await slowServer()
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const slow = sendRequest('GET', `${url}/slow`, { agent })
  await asked
  const stopped = listening.stop()
  await expect(sendRequest('GET', url)).rejects.toThrow('ECONNREFUSED')
  letGo()
  expect((await slow).text).toBe('done')
  await stopped
})

test('a connection is kept for longer than a load balancer keeps its own', async () => {
  const { url } = await slowServer()
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const { headers } = await sendRequest('GET', url, { agent })
  expect(headers['keep-alive']).toBe('timeout=75')
})

test('a stop does not wait for connections that are kept alive', async () => {
  const { listening, url, asked, letGo } = await slowServer()
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  await sendRequest('GET', url, { agent })
  const slow = sendRequest('GET', `${url}/slow`, { agent })
  await asked
  const stopped = listening.stop()
  letGo()
  await slow
  const startMs = performance.now()
  await stopped
  expect(performance.now() - startMs).toBeLessThan(4_000) // Node closes those that are idle after five seconds
})

test('a request that does not arrive is given up and its connection closed', async () => {
  const listening = await listen({ ...here, port: 0 }, 50)
  onTestFinished(() => listening.stop())
  const app: App = new Hono()
  app.post('/', async (c) => c.text(await c.req.text().catch(() => 'gone')))
  listening.serve(app)
  const socket = connect(listening.port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
})

test('where no port is left to try, the error names the address and what to set', async () => {
  await take(65_535).catch(() => {}) // taken, here or by another process
  const refused = listen({ ...here, port: 65_535 })
  await expect(refused).rejects.toBeInstanceOf(CannotListen)
  await expect(refused).rejects.toThrow(/127\.0\.0\.1:65535 \(EADDRINUSE\): .*TILLWRIGHT_PORT/)
})

test('a host that is none of this machine’s is an error of the same kind', async () => {
  await expect(listen({ ...here, host: '192.0.2.1', port: 0 })).rejects.toThrow(/192\.0\.2\.1:0 .*TILLWRIGHT_HOST/)
})
