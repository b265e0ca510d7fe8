import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { nameServers } from './hosting.ts'

const NO_SUCH_NAME = 3
const SERVER_FAILURE = 2
const REFUSED_CODE = 5

test('records come whole, however many pieces they were sent in', async () => {
  const server = await nameServer(() => ({ records: [['one'], ['x'.repeat(255), 'y'.repeat(20)]] }))
  expect(await nameServers([server]).txt('_tillwright.shop.example')).toEqual(['one', 'x'.repeat(255) + 'y'.repeat(20)])
})

test('a name that does not exist, or has other records only, has none', async () => {
  const unknown = await nameServer(() => ({ code: NO_SUCH_NAME, records: [] }))
  expect(await nameServers([unknown]).txt('none.example')).toEqual([])
  const empty = await nameServer(() => ({ records: [] }))
  expect(await nameServers([empty]).txt('empty.example')).toEqual([])
})

test.for([SERVER_FAILURE, REFUSED_CODE])('a name server that fails with %i is no proof of absence', async (code) => {
  const server = await nameServer(() => ({ code, records: [] }))
  await expect(nameServers([server]).txt('shop.example')).rejects.toThrow(/queryTxt/)
})

/** A name server on this machine: RFC 1035's messages, as far as one question about TXT needs them. */
async function nameServer(answer: () => { code?: number; records: readonly string[][] }): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const question = questionOf(query)
    const { code = 0, records } = answer()
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([header, question, ...records.map(recordOf)]), from.port, from.address)
  })
  onTestFinished(() => void socket.close())
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return `127.0.0.1:${socket.address().port}`
}

function questionOf(query: Buffer): Buffer {
  let end = 12
  while ((query[end] ?? 0) !== 0) end += (query[end] ?? 0) + 1
  return query.subarray(12, end + 5)
}

function recordOf(pieces: readonly string[]): Buffer {
  const data = Buffer.concat(pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece)])))
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 1, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
