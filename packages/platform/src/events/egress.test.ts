import { createSocket } from 'node:dgram'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import type { Environment } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../test/events/start-receiver.ts'
import { manualClock } from '../runtime/clock.ts'
import { askNameServers, egress, type Resolve } from './egress.ts'

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

test('a receiver that changes the protocol has answered, though not with 2xx', async () => {
  const server = createTcpServer((socket) => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  expect(await way().deliver(addressOf(server), message, never)).toEqual({ status: 101, retryAfter: null, excerpt: '' })
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

test('a name server that refuses is not taken for the receiver', async () => {
  const refused = Object.assign(new Error('queryA ECONNREFUSED shop.example'), { code: 'ECONNREFUSED' })
  const { deliver } = way('production', () => Promise.reject(refused))
  const answer = await deliver('https://shop.example/hooks', message, never)
  expect(answer).toEqual({ failure: "The host's name could not be looked up: ECONNREFUSED." })
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

test('a connection that a receiver never closes is kept for a while, and then closed', async () => {
  const closed = Promise.withResolvers<void>()
  const server = createTcpServer((socket) => {
    socket.on('data', (chunk) => String(chunk).endsWith('}') && socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
    socket.on('close', () => closed.resolve())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const deliver = egress({ clock: manualClock(0), environment: 'local', keptMs: 50 })
  expect(await deliver(addressOf(server), message, never)).toMatchObject({ status: 204 })
  await closed.promise
})

test.each(['http://8.8.8.8/', 'ftp://8.8.8.8/'])('outside local %s is refused', async (url) => {
  expect(await way('production').deliver(url, message, never)).toEqual({
    failure: 'Only https: addresses are delivered to.',
  })
})

/** Ways to write an address of our own; `*` stands for the port that listens there. */
const written = {
  'as it is': ['127.0.0.1:*', '127.255.255.254:*', '[::1]:*', '0.0.0.0:*', '[::]:*'],
  'as one number': ['2130706433:*', '017700000001:*', '0x7f000001:*', '0:*'],
  'in octal and hexadecimal': ['0177.0.0.1:*', '0x7f.0.0.1:*', '0177.0x0.0.01:*', '0x7f.1:*'],
  'in short': ['127.1:*', '127.0.1:*', '0x7f.1:*'],
  'in full width and with other dots': ['１２７.０.０.１:*', '127。0。0。1:*', '127．0．0．1:*'],
  'percent-encoded': ['%31%32%37.0.0.1:*', '127%2e0.0.1:*'],
  'with a trailing dot': ['127.0.0.1.:*', '2130706433.:*'],
  'behind a user': ['8.8.8.8@127.0.0.1:*', '8.8.8.8:443@127.0.0.1:*', 'a%40b@127.0.0.1:*'],
  'before what looks like the host': ['127.0.0.1:*\\@8.8.8.8', '127.0.0.1:*#@8.8.8.8', '127.0.0.1:*?@8.8.8.8'],
  'mapped to IPv6': ['[::ffff:127.0.0.1]:*', '[::ffff:7f00:1]:*', '[0:0:0:0:0:ffff:7f00:0001]:*'],
  'compatible with IPv6': ['[::127.0.0.1]:*', '[::7f00:1]:*'],
  'through NAT64': ['[64:ff9b::127.0.0.1]:*', '[64:ff9b:1::7f00:1]:*'],
  'through 6to4 and Teredo': ['[2002:7f00:1::]:*', '[2001:0:7f00:1::]:*'],
  'with a zone': ['[::1%25lo]:*', '[fe80::1%25lo]:*', '[fe80::1%lo]:*'],
  'of a private network': ['10.0.0.1:*', '172.16.0.1:*', '192.168.0.1:*', '100.64.0.1:*', '[fd00::1]:*', '[fe80::1]:*'],
  'of a cloud': [
    '169.254.169.254/latest/meta-data/',
    '0xa9fea9fe',
    '[fd00:ec2::254]',
    '168.63.129.16',
    '100.100.100.200',
  ],
}

test.each(Object.entries(written))(
  'outside local an address %s is refused, and no connection is made',
  async (_, hosts) => {
    const ours = await countConnections()
    const { deliver } = way('production', async () => expect.unreachable('A literal address is not looked up.'))
    for (const host of hosts) {
      const answer = await deliver(`https://${host.replace('*', String(ours.port))}`, message, never)
      expect([NOT_PUBLIC, 'The address cannot be read.'], host).toContain('failure' in answer && answer.failure)
    }
    expect(await ours.connections()).toBe(0)
  },
)

/** DNS answers for a host, on the first or a later attempt, direct or at the end of a chain of aliases. */
const answered: Record<string, readonly string[]> = {
  'one of our own': ['127.0.0.1'],
  'one of our own in IPv6': ['::1'],
  'a public one and one of our own': ['8.8.8.8', '127.0.0.1'],
  'one of our own and a public one': ['127.0.0.1', '8.8.8.8'],
  'a private one': ['10.1.2.3'],
  'that of the cloud': ['169.254.169.254'],
  'a mapped one': ['::ffff:127.0.0.1'],
  'one behind NAT64': ['64:ff9b::7f00:1'],
  'one with a zone': ['fe80::1%lo'],
  'what is no address': ['localhost'],
  'nothing at all': [],
}

test.each(Object.entries(answered))(
  'outside local a name that is answered with %s is refused at each try',
  async (_, answers) => {
    const ours = await countConnections()
    let lookups = 0
    const { deliver } = way('development', async () => {
      lookups += 1
      return answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    })
    for (const name of ['shop.example', 'shop.example', 'shop.example.']) {
      expect(await deliver(`https://${name}:${ours.port}/`, message, never)).toHaveProperty('failure')
    }
    expect(lookups).toBe(3)
    expect(await ours.connections()).toBe(0)
  },
)

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

test('outside local a name is looked up by no thread of the process, which names without an answer would hold up', async () => {
  const stop = new AbortController()
  const answer = way('production').deliver('https://shop.example/', message, stop.signal)
  expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap')
  stop.abort()
  expect(await answer).toHaveProperty('failure')
})

test.for<[string, Record<number, Buffer[] | 'fails'>, (string | number)[][]]>([
  [
    'both kinds',
    { 1: [Buffer.from([192, 0, 2, 1])], 28: [Buffer.alloc(16, 1)] },
    [
      ['192.0.2.1', 4],
      ['101:101:101:101:101:101:101:101', 6],
    ],
  ],
  ['one of IPv4 alone', { 1: [Buffer.from([192, 0, 2, 1])], 28: [] }, [['192.0.2.1', 4]]],
  ['one of IPv6 alone', { 1: [], 28: [Buffer.alloc(16, 1)] }, [['101:101:101:101:101:101:101:101', 6]]],
  [
    'one of IPv4, and IPv6 of a server that fails',
    { 1: [Buffer.from([192, 0, 2, 1])], 28: 'fails' },
    [['192.0.2.1', 4]],
  ],
])('name servers are asked for all addresses of a host: %s', async ([, records, addresses]) => {
  const found = await askNameServers([await nameServer(records)])('shop.example')
  expect(found.map(({ address, family }) => [address, family])).toEqual(addresses)
})

test('a host without an address, or whose name server fails, is an error', async () => {
  await expect(askNameServers([await nameServer({ 1: [], 28: [] })])('shop.example')).rejects.toThrow('ENODATA')
  await expect(askNameServers([await nameServer({ 1: 'fails', 28: 'fails' })])('shop.example')).rejects.toThrow(
    'ESERVFAIL',
  )
})

/** A name server on this machine. @param records The data of its records, by their type: 1 is IPv4, 28 IPv6. */
async function nameServer(records: Record<number, Buffer[] | 'fails'>): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5 // of the question: a name, its type and class
    const type = query.readUInt16BE(end - 4)
    const found = records[type] ?? []
    const [code, data] = found === 'fails' ? [2, []] : [0, found]
    const header = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, data.length, 0, 0, 0, 0])
    query.copy(header, 0, 0, 2)
    const answers = data.map((address) =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, address.length]), address]),
    )
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), from.port, from.address)
  })
  onTestFinished(() => void socket.close())
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return `127.0.0.1:${socket.address().port}`
}

const NOT_PUBLIC = 'The host has an address that is not public.'

/** Listens on loopback, and counts who comes. */
async function countConnections(): Promise<{ port: number; connections: () => Promise<number> }> {
  let count = 0
  const server = createTcpServer(() => (count += 1)).listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const port = Number(new URL(addressOf(server)).port)
  return {
    port,
    // Earlier connections are counted before this new one.
    connections: async () => {
      const last = once(server, 'connection')
      const own = connect(port, '127.0.0.1')
      await last
      own.destroy()
      return count - 1
    },
  }
}

function addressOf(server: { address(): ReturnType<ReturnType<typeof createTcpServer>['address']> }): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server always has a port.')
  return `http://127.0.0.1:${address.port}`
}
