import { createHmac } from 'node:crypto'
import { webhookPayload } from '@tillwright/contract'
import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, test, vi } from 'vitest'
import { signDelivery } from './attempt-delivery.ts'
import type { BareEvent } from './events.ts'

const nowMs = Date.UTC(2030, 0, 1, 12)
const oldSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const newSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`

/** The library compares the signed time with `Date`. */
beforeEach(() => {
  vi.setSystemTime(nowMs)
  return () => vi.useRealTimers()
})

function event(note = ''): BareEvent {
  return {
    id: 'evt_1',
    accountId: 'acc_1',
    storeId: 'store_1',
    eventType: 's_order_paid',
    properties: { orderId: 'order_1', amount: 4_200, currency: 'EUR', note },
    draft: false,
    createdAt: '2030-01-01T11:59:59.000Z',
  }
}

test('the body is the payload of the contract, and the library verifies its signature', () => {
  const { headers, body } = signDelivery(event('Größe 42'), { environment: 'local', secrets: [newSecret], nowMs })
  expect(headers).toMatchObject({ 'webhook-id': 'evt_1', 'webhook-timestamp': String(nowMs / 1_000) })
  const payload = webhookPayload.parse(new Webhook(newSecret).verify(body, headers))
  expect(payload).toEqual({
    id: 'evt_1',
    type: 's_order_paid',
    timestamp: '2030-01-01T11:59:59.000Z',
    environment: 'local',
    accountId: 'acc_1',
    storeId: 'store_1',
    data: event('Größe 42'),
  })
})

test('the body has the same bytes before and after all endpoints have acknowledged the event', () => {
  const signing = { environment: 'local', secrets: [newSecret], nowMs } as const
  const processed = { ...event(), processedAt: '2030-01-01T12:00:00.000Z' }
  expect(signDelivery(processed, signing)).toEqual(signDelivery(event(), signing))
})

test('every secret signs, in order, and each verifies alone', () => {
  const signed = signDelivery(event(), { environment: 'local', secrets: [newSecret, oldSecret], nowMs })
  const one = signDelivery(event(), { environment: 'local', secrets: [newSecret], nowMs })
  const signatures = signed.headers['webhook-signature']?.split(' ')
  expect(signatures).toHaveLength(2)
  expect(signatures?.[0]).toBe(one.headers['webhook-signature'])
  for (const secret of [newSecret, oldSecret]) new Webhook(secret).verify(signed.body, signed.headers)
})

test('a signature is what the specification says: HMAC-SHA256 over id, time and body, under the bytes of the secret', () => {
  const { headers, body } = signDelivery(event('Größe 42'), { environment: 'local', secrets: [newSecret], nowMs })
  const hmac = createHmac('sha256', Buffer.alloc(32, 2)).update(`evt_1.${nowMs / 1_000}.${body}`)
  expect(headers['webhook-signature']).toBe(`v1,${hmac.digest('base64')}`)
})

test('a body that was changed does not verify', () => {
  const { headers, body } = signDelivery(event(), { environment: 'local', secrets: [newSecret], nowMs })
  expect(() => new Webhook(newSecret).verify(`${body} `, headers)).toThrow('No matching signature')
})

test('a body of 20 kB is sent, and a byte more sends only the id', () => {
  const empty = signDelivery(event(), { environment: 'local', secrets: [newSecret], nowMs }).body
  const largest = 'é'.repeat((20_000 - Buffer.byteLength(empty)) >> 1)
  const rest = 'x'.repeat((20_000 - Buffer.byteLength(empty)) & 1)
  const fits = signDelivery(event(largest + rest), { environment: 'local', secrets: [newSecret], nowMs })
  expect(Buffer.byteLength(fits.body)).toBe(20_000)
  const over = signDelivery(event(`${largest}${rest}x`), { environment: 'local', secrets: [newSecret], nowMs })
  expect(webhookPayload.parse(new Webhook(newSecret).verify(over.body, over.headers))).toMatchObject({
    id: 'evt_1',
    type: 's_order_paid',
    storeId: 'store_1',
    data: { id: 'evt_1' },
  })
  expect(JSON.parse(over.body).data).toEqual({ id: 'evt_1' })
})
