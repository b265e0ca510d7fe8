import { expect, test } from 'vitest'
import { redacted, withoutSecrets } from './redact.ts'

const read = (type: string | null, before: unknown, after: unknown) => JSON.parse(redacted(type, { before, after }))

test('fields with the name of a secret lose their values, wherever they stand', () => {
  const after = { id: 'store_1', credentials: 'k', nested: [{ clientSecret: 'x', apiKey: 'y', ok: 1 }], hasToken: true }
  expect(read('store', undefined, after)).toEqual({
    after: {
      id: 'store_1',
      credentials: '[redacted]',
      nested: [{ clientSecret: '[redacted]', apiKey: '[redacted]', ok: 1 }],
      hasToken: true,
    },
  })
})

test.each([
  `test_sk_${'a1'.repeat(18)}`,
  `live_pk_${'b2'.repeat(18)}`,
  `fstok_${'c3'.repeat(20)}`,
  `fscode_preview_${'d4'.repeat(20)}`,
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  '4242 4242 4242 4242',
  '4000056655665556',
])('%s is told by its look, in any field', (secret) => {
  expect(withoutSecrets(`note ${secret} end`)).toBe('note [redacted] end')
  expect(redacted(null, { after: { note: secret, [secret]: 1 } })).not.toContain(secret)
})

test('a password in an address goes, and the address stays', () => {
  expect(withoutSecrets('https://ada:pass@shop.example/x')).toBe('https://[redacted]@shop.example/x')
})

test('of a card nothing is kept but brand and last four digits', () => {
  const after = { id: 'card_1', brand: 'visa', last4: '4242', bin: '424242', expMonth: 12, fingerprint: 'f' }
  expect(read('card', undefined, after)).toEqual({ after: { id: 'card_1', brand: 'visa', last4: '4242' } })
})

test('a creation has no before, and a large value is represented by its digest', () => {
  expect(read('product', undefined, { id: 'p' })).toEqual({ after: { id: 'p' } })
  const large = { text: 'x'.repeat(10_000) }
  expect(read('product', { id: 'p' }, large)).toEqual({
    before: { id: 'p' },
    after: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), length: 10_011 },
  })
})

test('what is nested without end is cut off', () => {
  let value: unknown = 'deep'
  for (let depth = 0; depth < 50; depth++) value = { value }
  expect(redacted(null, { after: value })).toContain('[redacted]')
})
