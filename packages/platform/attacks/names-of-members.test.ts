import { type RefundRequest } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { newInstrument, pay } from '../test/pay-with-card.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// The attacker, with a key that reads refunds, wants to know who works for the merchant, to write to them.

const platform = sharedPlatform()

test('refund requests name members only to readers who may read members', async () => {
  const { token: owner, memberId } = await placeMember(platform())
  const ofOwner = { key: '', headers: consoleHeaders(platform(), owner) }
  const limit = { ...ofOwner, body: { currency: 'USD', amount: 100 } }
  await platform().request('POST', '/api/payments/v1/refund-limits/set', limit)
  const payment = await pay(platform(), (await newInstrument(platform())).id)
  const refund = await platform().request('POST', `/api/payments/v1/payments/${payment.id}/refund`, {
    ...ofOwner,
    body: {},
  })
  const { id } = (refund.body as { refundRequest: RefundRequest }).refundRequest
  await platform().request('POST', `/api/payments/v1/refund-requests/${id}/decline`, { ...ofOwner, body: {} })

  const paths = [`/api/payments/v1/refund-requests/${id}`, '/api/payments/v1/refund-requests']
  const reads = (options: object) => Promise.all(paths.map((path) => platform().request('GET', path, options)))
  const readOnly = await placeMember(platform(), { role: 'read_only' })
  for (const options of [
    {},
    { key: await platform().addKey({ scopes: ['refunds:read'] }) },
    { key: await platform().addKey({ roles: ['org:read'] }) },
    { key: '', headers: consoleHeaders(platform(), readOnly.token) },
  ]) {
    for (const answer of await reads(options)) {
      const text = JSON.stringify(answer.body)
      expect([answer.status, text.includes(memberId), text.includes('@')]).toEqual([200, true, false])
      expect(text).toContain('"requestedByName":null')
      expect(text).toContain('"decidedByName":null')
    }
  }
  for (const options of [ofOwner, { key: await platform().addKey({ roles: ['org:admin'] }) }]) {
    for (const answer of await reads(options)) expect(JSON.stringify(answer.body)).toMatch(/"requestedByName":"[^"]*@/)
  }
})
