import type { Environment } from '@tillwright/contract'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { manualClock } from '../ambient/clock.ts'
import { egress, type Resolve } from './egress.ts'
import { startReceiver } from './testing/start-receiver.ts'

const message = { headers: { 'content-type': 'application/json' }, body: '{"id":"evt_1"}' }
const never = new AbortController().signal

function way(environment: Environment = 'local', resolve?: Resolve) {
  const clock = manualClock(0)
  return { clock, deliver: egress({ clock, environment, ...(resolve !== undefined && { resolve }) }) }
}

test('the body arrives as it was given, and the answer comes back', async () => {
  const receiver = await startReceiver(() => ({ status: 503, headers: { 'retry-after': '7' }, body: 'busy' }))
  const answer = await way().deliver(`${receiver.url}/hooks?shop=1`, message, never)
  expect(answer).toEqual({ status: 503, retryAfter: '7', excerpt: 'busy' })
  expect(receiver.received).toEqual([
    { path: '/hooks?shop=1', body: message.body, headers: expect.objectContaining({ 'content-length': '14' }) },
  ])
})

test('a redirect is an answer and is not followed', async () => {
  const inner = await startReceiver()
  const outer = await startReceiver(() => ({ status: 307, headers: { location: inner.url } }))
  expect(await way().deliver(outer.url, message, never)).toMatchObject({ status: 307 })
  expect(inner.received).toEqual([])
})

test('two kilobytes of an endless answer are read, without a NUL', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200)
    const pour = () => {
      while (response.write('a\0'.repeat(500)));
    }
    response.on('drain', pour)
    pour()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const answer = await way().deliver(addressOf(server), message, never)
  expect(answer).toEqual({ status: 200, retryAfter: null, excerpt: 'a\uFFFD'.repeat(1_024) })
})

test('a receiver that says nothing is given up after 15 s', async () => {
  const receiver = await startReceiver(() => 'hang')
  const { clock, deliver } = way()
  const answer = deliver(receiver.url, message, never)
  await receiver.until(1)
  clock.advance(14_999)
  expect(await Promise.race([answer, Promise.resolve('waiting')])).toBe('waiting')
  clock.advance(1)
  expect(await answer).toEqual({ failure: 'There was no answer in time.' })
})

test('an answer that never ends counts by its status when the time is over', async () => {
  const server = createServer((_request, response) => void response.writeHead(202).write('thanks')).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { clock, deliver } = way()
  const begun = new Promise((resolve) => {
    const channel = 'http.client.response.finish' // is told of the status line, not of the end of the body
    subscribe(channel, resolve)
    onTestFinished(() => void unsubscribe(channel, resolve))
  })
  const answer = deliver(addressOf(server), message, never)
  await begun
  clock.advance(15_000)
  expect(await answer).toMatchObject({ status: 202 })
})

test('it can be broken off', async () => {
  const receiver = await startReceiver(() => 'hang')
  const stop = new AbortController()
  const answer = way().deliver(receiver.url, message, stop.signal)
  await receiver.until(1)
  stop.abort()
  expect(await answer).toHaveProperty('failure')
  expect(await way().deliver(receiver.url, message, stop.signal)).toHaveProperty('failure')
})

test('a receiver that is not there is a failure', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = addressOf(server)
  server.close()
  expect(await way().deliver(url, message, never)).toEqual({ failure: 'ECONNREFUSED' })
})

test('a kept connection that the receiver has closed is not a failure', async () => {
  const sockets: Socket[] = []
  const server = createTcpServer((socket) => {
    const count = sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      if (!String(chunk).endsWith('}')) return
      // The second request on the first connection meets a reset.
      if (count === 1 && socket.bytesRead > 400) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { deliver } = way()
  const long = { headers: { ...message.headers, padding: 'x'.repeat(200) }, body: message.body }
  expect(await deliver(addressOf(server), long, never)).toMatchObject({ status: 204 })
  expect(await deliver(addressOf(server), long, never)).toMatchObject({ status: 204 })
  expect(sockets).toHaveLength(2)
})

test.each(['http://8.8.8.8/', 'ftp://8.8.8.8/'])('outside local %s is refused', async (url) => {
  expect(await way('production').deliver(url, message, never)).toEqual({
    failure: 'Only https: addresses are delivered to.',
  })
})

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:7f00:1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0/',
])('outside local the address %s is refused', async (url) => {
  expect(await way('production').deliver(url, message, never)).toEqual({
    failure: 'The host has an address that is not public.',
  })
})

test('outside local a name with one address that is not public is refused, and nobody is connected to', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  let connections = 0
  server.on('connection', () => (connections += 1))
  const resolve: Resolve = async () => [
    { address: '8.8.8.8', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  const url = addressOf(server).replace('http://127.0.0.1', 'https://shop.example')
  const answer = await way('development', resolve).deliver(url, message, never)
  expect(answer).toEqual({ failure: 'The host has an address that is not public.' })
  connect(Number(new URL(addressOf(server)).port), '127.0.0.1').end()
  await once(server, 'connection') // the first and only one
  expect(connections).toBe(1)
})

test('the address that was checked is the one that is connected to: a name is looked up once', async () => {
  const receiver = await startReceiver()
  let lookups = 0
  const resolve: Resolve = async () => [{ address: ++lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  const { deliver } = way('local', resolve)
  expect(await deliver(receiver.url.replace('127.0.0.1', 'shop.example'), message, never)).toMatchObject({
    status: 204,
  })
  expect(lookups).toBe(1)
  expect(receiver.received[0]?.headers.host).toMatch(/^shop\.example:/)
})

function addressOf(server: { address(): ReturnType<ReturnType<typeof createTcpServer>['address']> }): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server always has a port.')
  return `http://127.0.0.1:${address.port}`
}
