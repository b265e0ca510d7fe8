import { contract, type MemberRole, type ResponseOf } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import {
  consoleBrowser,
  consoleHeaders,
  placeIdentity,
  placeMember,
  placePasskey,
  placeSession,
} from '../../test/console-browser.ts'
import { sharedPlatform, startTestPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'
import { openOperator } from '../operator/operator.ts'
import { readConfig } from '../config.ts'
import { SESSION_MAX_MS } from './sessions.ts'

type Me = ResponseOf<typeof contract.me.get>

/** As `TILLWRIGHT_MEMBER_IDLE_MINUTES` is unless set. */
const SESSION_IDLE_MS = 120 * 60_000

let count = 0
const newEmail = () => `person${(count += 1)}@example.com`
const invite = (platform: TestPlatform, role: MemberRole = 'owner', email = newEmail()) =>
  platform.call(contract.members.invite, { body: { email, role } })

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('a person accepts an invitation with a passkey, signs out, and signs in with it again', async () => {
    const { link, member } = await invite(platform(), 'operations')
    expect(link).toMatch(/\/console\/accept#inv_\w{43}$/)
    const browser = consoleBrowser(platform())
    const accepted = await browser.accept(link)
    expect(accepted.status, accepted.text).toBe(200)
    expect(accepted.body).toEqual({
      recoveryCodes: expect.arrayContaining([expect.stringMatching(/^(\w{4}-){3}\w{4}$/)]),
    })
    const { body } = await browser.send('GET', '/api/members/v1/me')
    expect(body).toMatchObject({
      member: { id: member.id, status: 'active', role: 'operations' },
      recoveryCodesLeft: 10,
    })
    expect((await browser.send('POST', '/api/members/v1/me/sign-out')).status).toBe(200)
    expect(browser.cookies.has('tillwright_console')).toBe(false)
    expect((await browser.send('GET', '/api/members/v1/me')).error.code).toBe('sign_in_required')
    const signedIn = await browser.signIn()
    expect(signedIn.status, signedIn.text).toBe(200)
    expect((await browser.send('GET', '/api/members/v1/me')).status).toBe(200)
  })

  test('a recovery code signs in once, however it is typed', async () => {
    const email = newEmail()
    const { link } = await invite(platform(), 'support', email)
    const browser = consoleBrowser(platform())
    const [code = ''] = ((await browser.accept(link)).body as { recoveryCodes: string[] }).recoveryCodes
    const other = consoleBrowser(platform())
    const typed = { email: ` ${email.toUpperCase()}`, code: code.toUpperCase().replaceAll('-', ' ') }
    expect((await other.post('/console/sign-in/recovery-code', typed)).status).toBe(200)
    const { body } = await other.send('GET', '/api/members/v1/me')
    expect((body as Me).recoveryCodesLeft).toBe(9)
    expect((await other.post('/console/sign-in/recovery-code', typed)).error.code).toBe('sign_in_failed')
  })

  test('a member adds a second passkey, and cannot remove the last one', async () => {
    const browser = consoleBrowser(platform())
    await browser.accept((await invite(platform())).link)
    const phone = consoleBrowser(platform())
    platform().clock.advance(1)
    const options = (await browser.post('/console/passkeys/begin', {})).body as Parameters<
      typeof phone.authenticator.create
    >[0]
    const response = phone.authenticator.create(options, { origin: browser.origin })
    expect((await browser.post('/console/passkeys/add', { name: 'Phone', response })).status).toBe(200)
    expect((await phone.signIn()).status).toBe(200)
    const { passkeys } = (await browser.send('GET', '/api/members/v1/me')).body as Me
    expect(passkeys.map(({ name }) => name)).toEqual(['Laptop', 'Phone'])
    const remove = (index: number) => browser.send('POST', `/api/members/v1/me/passkeys/${passkeys[index]?.id}/remove`)
    expect((await remove(0)).status).toBe(200)
    expect((await phone.send('GET', '/api/members/v1/me')).error.code).toBe('sign_in_required')
    expect((await remove(1)).error.code).toBe('state_conflict')
    expect((await browser.signIn()).error.code).toBe('sign_in_failed')
  })

  test('of two changes of a member at once, none undoes the rights that the other has given', async () => {
    for (let times = 0; times < 5; times++) {
      const { memberId } = await placeMember(platform())
      const update = (body: object) =>
        platform().request('POST', `/api/members/v1/members/${memberId}/update`, {
          key: platform().local.adminApiKey,
          body,
        })
      const [demoted, renamed] = await Promise.all([update({ role: 'support' }), update({ name: 'Grace' })])
      const { role } = await platform().call(contract.members.get, { params: { memberId } })
      expect([demoted, renamed].map(({ status }) => status)).toContain(200)
      expect(role).toBe(demoted.status === 200 ? 'support' : 'owner')
    }
  })

  test('credentials are changed within 15 minutes after a sign-in only', async () => {
    const { token, memberId } = await placeMember(platform())
    const [passkeyId] = [await placePasskey(platform(), memberId), await placePasskey(platform(), memberId)]
    const identityId = await placeIdentity(platform(), memberId)
    const post = (path: string) =>
      platform().request('POST', path, { key: '', headers: consoleHeaders(platform(), token), body: {} })
    platform().clock.advance(15 * 60_000)
    for (const of of [`passkeys/${passkeyId}`, `identities/${identityId}`])
      expect((await post(`/api/members/v1/me/${of}/remove`)).error.code).toBe('sign_in_required')
    expect((await post('/console/passkeys/begin')).error.code).toBe('sign_in_required')
    expect((await post('/api/members/v1/me/recovery-codes')).error.code).toBe('sign_in_required')
    const { token: fresh } = await placeSession(platform(), memberId)
    const headers = consoleHeaders(platform(), fresh)
    expect((await platform().request('POST', '/console/passkeys/begin', { key: '', headers, body: {} })).status).toBe(
      200,
    )
  })

  test('a session ends when it is idle, and after its longest time however much it is used', async () => {
    const { token } = await placeMember(platform())
    const get = () =>
      platform().request('GET', '/api/members/v1/me', { key: '', headers: consoleHeaders(platform(), token) })
    for (let passedMs = 0; passedMs + SESSION_IDLE_MS <= SESSION_MAX_MS; passedMs += SESSION_IDLE_MS) {
      expect((await get()).status).toBe(200)
      platform().clock.advance(SESSION_IDLE_MS - 1)
    }
    platform().clock.advance(SESSION_MAX_MS - 6 * (SESSION_IDLE_MS - 1))
    expect((await get()).error.code).toBe('sign_in_required')
    const idle = await placeMember(platform())
    platform().clock.advance(SESSION_IDLE_MS)
    const late = { key: '', headers: consoleHeaders(platform(), idle.token) }
    expect((await platform().request('GET', '/api/members/v1/me', late)).error.code).toBe('sign_in_required')
  })

  test('a platform that is told so ends a session after fifteen idle minutes', async () => {
    const strict = await startTestPlatform({ engine, env: { TILLWRIGHT_MEMBER_IDLE_MINUTES: '15' } })
    const { token, memberId } = await placeMember(strict)
    const sent = { key: '', headers: consoleHeaders(strict, token) }
    strict.clock.advance(15 * 60_000 - 1)
    expect((await strict.request('GET', '/api/members/v1/me', sent)).status).toBe(200)
    strict.clock.advance(15 * 60_000)
    expect((await strict.request('GET', '/api/members/v1/me', sent)).error.code).toBe('sign_in_required')
    expect((await strict.call(contract.members.listSessions, { params: { memberId } })).data).toEqual([])
  })

  test('a page that reads the state of the platform by itself keeps no session from ending idle', async () => {
    const headers = consoleHeaders(platform(), (await placeMember(platform())).token)
    const read = () => platform().request('GET', contract.platform.get.path, { key: '', headers })
    expect((await read()).status).toBe(200)
    platform().clock.advance(SESSION_IDLE_MS - 1)
    expect((await read()).status).toBe(200)
    platform().clock.advance(1)
    expect((await read()).error.code).toBe('sign_in_required')
  })

  test('the last owner is neither demoted nor removed, not even when two owners turn on each other', async () => {
    const { services } = platform()
    await services.db.write([{ sql: `DELETE FROM members WHERE account_id = ?`, params: [platform().local.accountId] }])
    const [one, two] = [await placeMember(platform()), await placeMember(platform())]
    const remove = ({ memberId }: typeof one, by: typeof one) =>
      platform().request('POST', `/api/members/v1/members/${memberId}/remove`, {
        key: '',
        headers: consoleHeaders(platform(), by.token),
      })
    const both = await Promise.all([remove(one, two), remove(two, one)])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    const { data } = await platform().call(contract.members.list, { query: {} })
    const [last] = data.filter(({ role }) => role === 'owner')
    const memberId = last?.id ?? ''
    const path = `/api/members/v1/members/${memberId}`
    const key = platform().local.adminApiKey
    for (const [way, body] of [
      ['update', { role: 'support' }],
      ['remove', undefined],
    ] as const) {
      const answer = await platform().request('POST', `${path}/${way}`, { key, body })
      expect([answer.status, answer.error.message]).toEqual([409, expect.stringContaining('last owner')])
    }
  })

  test('members are filtered by role, status and time, in either order, and listed as CSV', async () => {
    const { member: support } = await invite(platform(), 'support')
    const { member: developer } = await invite(platform(), 'developer')
    const listed = async (query: object) => {
      const { data } = await platform().call(contract.members.list, { query: { limit: 100, ...query } })
      return data.map(({ id }) => id).filter((id) => [support.id, developer.id].includes(id))
    }
    expect(await listed({ role: 'support' })).toEqual([support.id])
    expect(await listed({ status: 'active' })).toEqual([])
    expect(await listed({ status: 'invited', order: 'asc' })).toHaveLength(2)
    expect(await listed({ createdBefore: support.createdAt })).toEqual([])
    const csv = await platform().request('GET', '/api/members/v1/members?role=developer', {
      key: platform().local.adminApiKey,
      headers: { Accept: 'text/csv' },
    })
    expect(csv.text).toMatch(/^id,accountId,email,name,role,/)
    expect(csv.text).toContain(developer.email)
    expect(csv.text).not.toContain(support.email)
  })

  test('members are listed, changed and removed; a removed one can be invited again', async () => {
    const email = newEmail()
    const { member } = await invite(platform(), 'support', email)
    const changed = await platform().call(contract.members.update, {
      params: { memberId: member.id },
      body: { role: 'developer', storeIds: [platform().local.storeId] },
    })
    expect(changed).toMatchObject({ role: 'developer', storeIds: [platform().local.storeId] })
    await platform().call(contract.members.remove, { params: { memberId: member.id } })
    const { data } = await platform().call(contract.members.list, { query: { limit: 100 } })
    expect(data.map(({ id }) => id)).not.toContain(member.id)
    const again = await invite(platform(), 'support', email)
    expect(again.member.id).not.toBe(member.id)
    const active = await placeMember(platform())
    const sessions = await platform().call(contract.members.listSessions, { params: { memberId: active.memberId } })
    expect(sessions.data).toMatchObject([{ id: active.sessionId, isCurrent: false }])
    expect(await platform().call(contract.members.endSessions, { params: { memberId: active.memberId } })).toEqual({
      ended: 1,
    })
  })
})

const platform = sharedPlatform()

test('the first owner is made by a link that a local start or an operator prints', async () => {
  const own = await startTestPlatform()
  try {
    const first = consoleBrowser(own)
    expect((await first.accept(own.memberLink ?? '')).status).toBe(200)
    expect(((await first.send('GET', '/api/members/v1/me')).body as Me).member.role).toBe('owner')
    await own.restart()
    expect(own.memberLink).toBeNull()
  } finally {
    await own.remove()
  }
  const { settings, apiUrl, clock } = platform()
  const operator = await openOperator(
    readConfig({ ...settings, TILLWRIGHT_PORT: new URL(apiUrl).port }),
    undefined,
    clock,
  )
  try {
    const { link } = await operator.members.invite({ email: 'Grace@example.com', role: 'owner' })
    const browser = consoleBrowser(platform())
    expect((await browser.accept(link)).status).toBe(200)
    // A member who has lost everything keeps the role, and gets a new passkey.
    const again = await operator.members.invite({ email: 'grace@example.com', role: 'support' })
    expect(again.role).toBe('owner')
    const another = consoleBrowser(platform())
    expect((await another.accept(again.link)).status).toBe(200)
    expect((await browser.send('GET', '/api/members/v1/me')).error.code).toBe('sign_in_required')
    await expect(operator.members.invite({ email: 'grace', role: 'owner' })).rejects.toThrow('--email')
  } finally {
    await operator.close()
  }
})

test('a member limited to stores sees and changes those alone', async () => {
  const { local, call, request } = platform()
  const { id: otherStore } = await call(contract.stores.create, { body: { name: 'Other', createDemoProducts: true } })
  const { data } = await call(contract.products.list, { query: { storeId: otherStore, limit: 1 } })
  const { token } = await placeMember(platform(), { role: 'operations', storeIds: [local.storeId] })
  const send = (method: string, path: string, body?: unknown) =>
    request(method, path, { key: '', headers: consoleHeaders(platform(), token), body })
  const product = (storeId: string) => ({
    storeId,
    name: 'Mug',
    variants: [{ name: 'White', prices: [{ currencyOptions: { USD: { amount: 900 } } }] }],
  })

  expect((await send('GET', `/api/public/v1/products/${local.productId}`)).status).toBe(200)
  expect((await send('GET', `/api/catalog/v1/products?storeId=${local.storeId}`)).status).toBe(200)
  const foreign = await send('GET', `/api/public/v1/products/${data[0]?.id}`)
  expect([foreign.status, foreign.error.param]).toEqual([404, 'productId'])
  expect((await send('GET', `/api/catalog/v1/products?storeId=${otherStore}`)).status).toBe(404)
  expect((await send('POST', '/api/public/v1/products/create', product(otherStore))).status).toBe(404)
  const csv = await request('GET', `/api/catalog/v1/products?storeId=${otherStore}`, {
    key: '',
    headers: { ...consoleHeaders(platform(), token), Accept: 'text/csv' },
  })
  expect(csv.status).toBe(404)
  for (const [storeId, status] of [
    [local.storeId, 200],
    [otherStore, 404],
  ] as const) {
    const { id, revision } = await call(contract.promotions.create, { body: { storeId, name: 'Sale' } })
    const renamed = { id, data: { name: 'Sale' }, revision }
    expect((await send('POST', contract.promotions.update.path, renamed)).status).toBe(status)
    const path = contract.promotions.archive.path.replace('{promotionId}', id)
    expect((await send('POST', path, { revision })).status).toBe(status)
  }
  const whole = await send('POST', '/api/public/v1/stores/create', { name: 'Third' })
  expect([whole.status, whole.error.message]).toEqual([403, expect.stringContaining(local.storeId)])
  expect(whole.error.message).toMatch(/ask a member of all stores \(owner.* may do this\)/)

  // The rights that the member is shown are those that requests have.
  const { operations } = contract.me.get.response.parse((await send('GET', contract.me.get.path)).body)
  expect(operations).toEqual(expect.arrayContaining(['payments.list', 'payments.refund', 'eventLog.stream', 'me.get']))
  const ofAccount = ['stores.list', 'paymentFlows.list', 'processors.get', 'accounts.get', 'audit.list']
  expect(operations.filter((name) => ofAccount.includes(name))).toEqual([])
  for (const list of [contract.stores.list, contract.paymentFlows.list, contract.processors.list]) {
    expect((await send('GET', list.path)).status).toBe(403)
  }
})
