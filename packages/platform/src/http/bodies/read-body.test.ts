import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { BODY_MAX_BYTES } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../test/test-platform.ts'

const platform = sharedPlatform()
const STORES = '/api/public/v1/stores/create'

/** A good body of exactly so many bytes. */
function storeOf(bytes: number): string {
  const body = JSON.stringify({ name: 'Shop', more: '' })
  return body.replace('"more":""', `"more":"${'x'.repeat(bytes - body.length)}"`)
}

/** Sends a body in pieces, without saying how long it will be; what comes back may come before all is sent. */
async function sendInPieces(pieces: Iterable<string>): Promise<{ status: number; body: string }> {
  const { apiUrl, local } = platform()
  const headers = { Authorization: `Bearer ${local.apiKey}`, 'Content-Type': 'application/json' }
  const sent = request(apiUrl + STORES, { method: 'POST', headers })
  const response = once(sent, 'response')
  sent.on('error', () => {}) // the service hangs up on who sends too much
  for (const piece of pieces) sent.write(piece)
  sent.end()
  const [incoming] = await response
  return { status: incoming.statusCode, body: await text(incoming) }
}

test('a body of exactly 1 MiB is read', async () => {
  const body = storeOf(BODY_MAX_BYTES)
  expect(Buffer.byteLength(body)).toBe(1_048_576)
  expect((await platform().request('POST', STORES, { body })).status).toBe(201)
  expect((await sendInPieces([body])).status).toBe(201)
})

test('a body of one byte more is a 413', async () => {
  const answer = await platform().request('POST', STORES, { body: storeOf(BODY_MAX_BYTES + 1) })
  expect(answer.status).toBe(413)
  expect(answer.error).toMatchObject({ type: 'invalid_request_error', code: 'body_too_large' })
  expect(answer.headers['connection']).toBe('close')
})

test('a body of unknown length is a 413 as soon as it is too long', async () => {
  const { status, body } = await sendInPieces(Array<string>(20).fill('x'.repeat(100_000)))
  expect(status).toBe(413)
  expect(body).toContain('body_too_large')
})

test('a body that says it is too long is refused before it is sent', async () => {
  const { apiUrl, local } = platform()
  const headers = {
    Authorization: `Bearer ${local.apiKey}`,
    'Content-Type': 'application/json',
    'Content-Length': 10 ** 9,
  }
  const sent = request(apiUrl + STORES, { method: 'POST', headers })
  sent.on('error', () => {}) // as above
  sent.flushHeaders()
  const [response] = await once(sent, 'response')
  expect(response.statusCode).toBe(413)
  sent.destroy()
})

test('after a body that was too long the service answers others', async () => {
  await platform().request('POST', STORES, { body: storeOf(3 * BODY_MAX_BYTES) })
  expect((await platform().request('GET', '/api/public/v1/auth/test')).status).toBe(200)
})

test('a body that breaks off is forgotten', async () => {
  const { apiUrl, local, logged } = platform()
  const { port } = new URL(apiUrl)
  const socket = connect(Number(port), '127.0.0.1')
  const seen = logged.length
  socket.write(
    `POST ${STORES} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${local.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`,
  )
  await once(socket, 'ready')
  socket.end()
  await expect.poll(() => logged.slice(seen).filter((line) => line.includes('"status":')).length).toBe(1)
  expect(logged.slice(seen).join()).not.toContain('"status":5')
})
