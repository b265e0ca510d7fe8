import { expect, test } from 'vitest'
import { redacted } from './redacted.ts'

test('tokens, and what is about a person, are not shown wherever they stand', () => {
  const session = {
    token: 'fstok_1',
    customer: { email: 'ada@example.com', phone: null, shippingAddress: { line1: '1 High Street', city: 'York' } },
    order: { amount: 2_400, lines: [{ name: 'Tote', quantity: 1 }], promotions: [{ code: 'SUMMER' }] },
  }
  expect(redacted(session)).toEqual({
    token: '•••',
    customer: { email: '•••', phone: null, shippingAddress: { line1: '•••', city: 'York' } },
    order: { amount: 2_400, lines: [{ name: 'Tote', quantity: 1 }], promotions: [{ code: '•••' }] },
  })
})
