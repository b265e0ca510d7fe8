import type { Event } from '@tillwright/contract'
import { signDelivery } from '@tillwright/platform'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signForwarded } from './forward.ts'

const anyEvent = fc
  .record({ note: fc.string(), size: fc.constantFrom(0, 1, 19_500, 25_000) })
  .map(({ note, size }): Event => ({
    id: 'evt_1',
    accountId: 'acc_1',
    storeId: 'store_1',
    eventType: 's_order_paid',
    properties: { note, filling: 'ü'.repeat(size / 2) },
    draft: false,
    createdAt: '2030-01-01T00:00:00.000Z',
    customer: { id: 'cus_1', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    store: { id: 'store_1', name: 'Bikes' },
  }))

test('forwarded events are what the platform sends, byte for byte, even if an event is too large', () => {
  const secrets = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)
  fc.assert(
    fc.property(anyEvent, secrets, fc.integer({ min: 0, max: 4e12 }), (event, secret, nowMs) => {
      const { customer: _, store: __, ...bare } = event
      const forwarded = signForwarded(event, { environment: 'local', secret, nowMs })
      expect(forwarded).toEqual(signDelivery(bare, { environment: 'local', secrets: [secret], nowMs }))
    }),
  )
})
