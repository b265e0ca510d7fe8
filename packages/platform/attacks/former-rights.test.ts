import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { addProducts } from '../test/many-rows.ts'
import { newInstrument, pay } from '../test/pay-with-card.ts'
import { secondAccount } from '../test/second-account.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// A member was demoted, limited to other stores or removed, and still has the console open. Or a member of one account
// tries another's.

const platform = sharedPlatform()
const INVITE = '/api/members/v1/members/invite'

test('a demoted member’s open session has the new role at its next request', async () => {
  await placeMember(platform())
  const { memberId, token } = await placeMember(platform())
  const headers = consoleHeaders(platform(), token)
  const invite = (email: string) =>
    platform().request('POST', INVITE, { key: '', headers, body: { email, role: 'support' } })
  expect((await invite('one@example.com')).status).toBe(201)
  await platform().call(contract.members.update, { params: { memberId }, body: { role: 'operations' } })
  const refused = await invite('two@example.com')
  expect([refused.status, refused.error.message]).toEqual([
    403,
    'Needs the scope members:write, which owner has; ask one of them to do it.',
  ])
  // Not by an answer that is kept for a retry either.
  const retried = { ...headers, 'Idempotency-Key': 'one' }
  const body = { email: 'one@example.com', role: 'support' }
  expect((await platform().request('POST', INVITE, { key: '', headers: retried, body })).status).toBe(403)
  // Nor can the member give the old role back.
  const back = { key: '', headers, body: { role: 'owner' } }
  expect((await platform().request('POST', `/api/members/v1/members/${memberId}/update`, back)).status).toBe(403)
})

test('a removed member’s open session is over at once, and so is one whose sessions an owner ends', async () => {
  for (const operation of [contract.members.remove, contract.members.endSessions]) {
    const { memberId, token } = await placeMember(platform(), { role: 'support' })
    const headers = consoleHeaders(platform(), token)
    expect((await platform().request('GET', '/api/members/v1/me', { key: '', headers })).status).toBe(200)
    await platform().call(operation, { params: { memberId } })
    expect((await platform().request('GET', '/api/members/v1/me', { key: '', headers })).error.code).toBe(
      'sign_in_required',
    )
  }
})

test('a removed member’s request whose body is held back does nothing once it arrives', async () => {
  const { apiUrl, call, clock, services } = platform()
  const { memberId, sessionId, token } = await placeMember(platform(), { role: 'operations' })
  const refunded = await pay(platform(), (await newInstrument(platform())).id)
  clock.advance(61_000) // so that the look at the session is noted
  const path = contract.payments.refund.path.replace('{paymentId}', refunded.id)
  const headers = { ...consoleHeaders(platform(), token), 'Content-Type': 'application/json' }
  const held = httpRequest(new URL(path, apiUrl), { method: 'POST', headers })
  const answered = once(held, 'response')
  held.write('{"amount":')
  const sql = 'SELECT last_used_at FROM member_sessions WHERE id = ?'
  await expect.poll(async () => (await services.db.read(sql, [sessionId]))[0]?.['last_used_at']).toBe(clock.now())
  await call(contract.members.remove, { params: { memberId } })
  clock.advance(1_000)
  held.end('500}')
  expect((await answered)[0]).toMatchObject({ statusCode: 401 })
  const { refunds } = await call(contract.payments.get, { params: { paymentId: refunded.id } })
  expect(refunds).toEqual([])
})

test('a file that a removed member is reading breaks off at its next page', async () => {
  await addProducts(platform(), 2_500)
  const { memberId, token } = await placeMember(platform(), { role: 'support' })
  const signedIn = Object.entries(consoleHeaders(platform(), token)).map(([name, value]) => [name, String(value)])
  const headers = { ...Object.fromEntries(signedIn), Accept: 'text/csv' }
  const { body } = await fetch(`${platform().apiUrl}${contract.products.list.path}`, { headers })
  const reader = body?.getReader()
  expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0)
  await platform().call(contract.members.remove, { params: { memberId } })
  const rest = async () => {
    while ((await reader?.read())?.done === false);
  }
  await expect(rest()).rejects.toThrow()
})

test('a plain key, and one of scopes, cannot make itself an owner', async () => {
  const body = { email: 'accomplice@example.com', role: 'owner' }
  for (const key of [platform().local.apiKey, await platform().addKey({ scopes: ['members:write', 'stores:write'] })]) {
    const answer = await platform().request('POST', INVITE, { key, body })
    expect([answer.status, answer.error.code]).toEqual([403, 'role_required'])
  }
})

test('a member of one account finds no member and no data of another', async () => {
  const other = await secondAccount(platform())
  const victim = await placeMember(other, { role: 'support' })
  const { token } = await placeMember(platform())
  const headers = consoleHeaders(platform(), token)
  const send = (method: string, path: string, body?: unknown) =>
    platform().request(method, path, { key: '', headers, body })
  const path = `/api/members/v1/members/${victim.memberId}`
  for (const [method, way, body] of [
    ['GET', '', undefined],
    ['GET', '/sessions', undefined],
    ['POST', '/update', { role: 'owner' }],
    ['POST', '/remove', undefined],
    ['POST', '/end-sessions', undefined],
  ] as const) {
    expect((await send(method, path + way, body)).status, way).toBe(404)
  }
  expect((await send('POST', `/api/members/v1/me/sessions/${victim.sessionId}/end`)).status).toBe(404)
  expect((await send('GET', `/api/public/v1/products/${other.local.productId}`)).status).toBe(404)
  expect((await other.call(contract.members.get, { params: { memberId: victim.memberId } })).role).toBe('support')
})
