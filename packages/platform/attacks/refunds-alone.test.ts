import { contract, type Payment, type RefundRequest } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { consoleBrowser, consoleHeaders, placeMember } from '../test/console-browser.ts'
import { placeKey } from '../test/key-requests.ts'
import { newInstrument, pay } from '../test/pay-with-card.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// The attacker may refund up to a limit, and wants to give an accomplice more, and alone.

const platform = sharedPlatform()
const as = (token: string, path: string, body: unknown = {}) =>
  platform().request('POST', `/api/payments/v1/${path}`, { key: '', headers: consoleHeaders(platform(), token), body })

async function limited() {
  const { token: owner } = await placeMember(platform())
  await as(owner, 'refund-limits/set', { currency: 'USD', amount: 500 })
  const payment = await pay(platform(), (await newInstrument(platform())).id)
  const clerk = await placeMember(platform(), { role: 'operations' })
  return { owner, payment, clerk }
}

const requestOf = (body: unknown) => (body as Payment & { refundRequest?: RefundRequest }).refundRequest
const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })

test('a large refund in small slices comes no further than the limit, however long it takes', async () => {
  const { payment, clerk } = await limited()
  const slices = []
  for (let times = 0; times < 6; times++) {
    const { token } = times === 3 ? await placeMember(platform(), { role: 'operations' }) : clerk
    slices.push(requestOf((await as(token, `payments/${payment.id}/refund`, { amount: 200 })).body) === undefined)
    platform().clock.advance(20 * 60_000)
  }
  expect(slices.slice(0, 3)).toEqual([true, true, false])
  expect((await read(payment.id)).refundedAmount).toBe(400)
})

test('a key refunds no more than the limit, and approves nothing', async () => {
  const { payment } = await limited()
  const answer = await platform().request('POST', `/api/payments/v1/payments/${payment.id}/refund`, { body: {} })
  const request = requestOf(answer.body)
  expect(request).toMatchObject({ status: 'pending', requestedBy: expect.stringMatching(/^key_/) })
  for (const key of [undefined, await platform().addKey({ roles: ['org:admin'] })]) {
    const approve = `/api/payments/v1/refund-requests/${request?.id}/approve`
    const approved = await platform().request('POST', approve, { ...(key && { key }) })
    expect(approved.error.code).toBe('sign_in_required')
    const set = await platform().request('POST', '/api/payments/v1/refund-limits/set', {
      body: { currency: 'USD', amount: null },
      ...(key && { key }),
    })
    expect(set.error.code).toBe('sign_in_required')
  }
  expect((await read(payment.id)).refundedAmount).toBe(0)
})

test('a member who is limited to other stores approves nothing here', async () => {
  const { payment, clerk } = await limited()
  const answer = await as(clerk.token, `payments/${payment.id}/refund`)
  const elsewhere = await placeMember(platform(), { role: 'operations', storeIds: ['store_elsewhere'] })
  const id = requestOf(answer.body)?.id
  for (const how of ['approve', 'decline'])
    expect((await as(elsewhere.token, `refund-requests/${id}/${how}`)).error.code).toBe('resource_missing')
  expect((await read(payment.id)).refundedAmount).toBe(0)
})

test('who has made or rolled a key approves nothing that it requests, nor what a key that it has made does', async () => {
  const { owner, clerk } = await limited()
  const { keyId } = await placeKey(platform(), { roles: ['org:admin'] })
  const keys = contract.apiKeys
  const made = async (path: string, { key = '', body = {} }: { key?: string; body?: unknown }) => {
    const headers = key === '' ? consoleHeaders(platform(), owner) : {}
    const answer = await platform().request('POST', path, { key, headers, body })
    return keys.create.response.parse(answer.body).key
  }
  const rolled = await made(keys.roll.path.replace('{keyId}', keyId), {})
  const second = await made(keys.create.path, { key: rolled, body: { kind: 'secret', roles: ['org:admin'] } })
  const third = await made(keys.create.path, { key: second, body: { kind: 'secret', scopes: ['refunds:write'] } })
  // The audit log forgets after its time; keys may be used for longer.
  await platform().services.db.write([{ sql: "DELETE FROM audit_entries WHERE resource_type = 'apiKey'", params: [] }])
  for (const key of [rolled, second, third]) {
    const payment = await pay(platform(), (await newInstrument(platform())).id)
    const path = `/api/payments/v1/payments/${payment.id}/refund`
    const approve = `refund-requests/${requestOf((await platform().request('POST', path, { key, body: {} })).body)?.id}/approve`
    const alone = await as(owner, approve)
    expect([alone.status, alone.error.code]).toEqual([403, 'scope_missing'])
    expect((await as(clerk.token, approve)).body).toMatchObject({ status: 'refunded' })
  }
})

test('who was removed and invited again since approves nothing of before', async () => {
  const { owner, payment, clerk } = await limited()
  const id = requestOf((await as(clerk.token, `payments/${payment.id}/refund`)).body)?.id
  const params = { memberId: clerk.memberId }
  const { email } = await platform().call(contract.members.get, { params })
  await platform().call(contract.members.remove, { params })
  const again = await platform().call(contract.members.invite, { body: { email, role: 'operations' } })
  const browser = consoleBrowser(platform())
  expect((await browser.accept(again.link)).status).toBe(200)
  const alone = await browser.post(`/api/payments/v1/refund-requests/${id}/approve`, {})
  expect([alone.status, alone.error.message]).toEqual([403, expect.stringContaining('You have requested this refund.')])
  expect((await as(owner, `refund-requests/${id}/approve`)).body).toMatchObject({ status: 'refunded' })
})
