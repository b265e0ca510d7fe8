import { contract, type MemberRole, type ResponseOf } from '@tillwright/contract'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { consoleBrowser, placeMember, placePasskey } from '../../test/console-browser.ts'
import { startProvider, type TestProvider, throughProvider } from '../../test/openid-provider.ts'
import { startTestPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'
import { readConfig } from '../config.ts'

type Me = ResponseOf<typeof contract.me.get>

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'

let count = 0
const newPerson = () => ({ sub: `person-${(count += 1)}`, email: `person${count}@company.example` })

describe.each(testableEngines())('on %s', (engine) => {
  let provider: TestProvider
  let platform: TestPlatform
  beforeAll(async () => {
    provider = await startProvider()
    platform = await startTestPlatform({ engine, env: provider.env })
    await provider.register(platform.apiUrl)
  })
  afterAll(async () => {
    await platform.remove()
    await provider.stop()
  })

  const through = (path: string, person = newPerson(), { browser = consoleBrowser(platform), body = {} } = {}) =>
    throughProvider({ browser, path, body }, person, provider)
  const meOf = async (browser: ReturnType<typeof consoleBrowser>) =>
    (await browser.send('GET', '/api/members/v1/me')).body as Me

  async function accepted(person = newPerson(), role: MemberRole = 'operations') {
    const { link, member } = await platform.call(contract.members.invite, {
      body: { email: `invited${(count += 1)}@example.com`, role },
    })
    const browser = consoleBrowser(platform)
    const body = { token: new URL(link).hash.slice(1) }
    const answer = await through('/console/accept/openid', person, { browser, body })
    return { browser, person, member, answer }
  }

  test('a person accepts an invitation at the provider, and signs in there from then on', async () => {
    const { browser, person, member, answer } = await accepted()
    expect(answer.status, answer.text).toBe(200)
    expect((answer.body as { recoveryCodes: string[] }).recoveryCodes).toHaveLength(10)
    expect(await meOf(browser)).toMatchObject({
      member: { id: member.id, status: 'active', role: 'operations' },
      passkeys: [],
      identities: [{ issuer: `${provider.issuer}/`, email: person.email, lastUsedAt: null }],
    })
    const other = consoleBrowser(platform)
    expect((await through('/console/sign-in/openid', person, { browser: other })).status).toBe(200)
    expect(await meOf(other)).toMatchObject({
      member: { id: member.id },
      identities: [{ lastUsedAt: expect.any(String) }],
    })
    const sessions = await other.send('GET', '/api/members/v1/me/sessions')
    expect(sessions.body).toMatchObject({ data: [{ method: 'openid' }, { method: 'openid' }] })
  })

  test('a member links an account while signed in, and its sessions end when it is unlinked', async () => {
    const { memberId, token } = await placeMember(platform)
    await placePasskey(platform, memberId)
    const browser = consoleBrowser(platform)
    browser.cookies.set('tillwright_console', token)
    const person = newPerson()
    expect((await through('/console/identities/begin', person, { browser })).status).toBe(200)
    const [identity] = (await meOf(browser)).identities
    const elsewhere = consoleBrowser(platform)
    expect((await through('/console/sign-in/openid', person, { browser: elsewhere })).status).toBe(200)
    const unlinked = await browser.send('POST', `/api/members/v1/me/identities/${identity?.id}/remove`)
    expect(unlinked.body).toMatchObject({ identities: [] })
    expect((await elsewhere.send('GET', '/api/members/v1/me')).error.code).toBe('sign_in_required')
    expect((await browser.send('GET', '/api/members/v1/me')).status).toBe(200)
    expect((await through('/console/sign-in/openid', person)).error.code).toBe('sign_in_failed')
  })

  test('whom the provider signs out is signed out of every session that was begun there, and of no other', async () => {
    const { browser, person, member } = await accepted()
    const other = await accepted()
    const byPasskey = consoleBrowser(platform)
    byPasskey.cookies.set('tillwright_console', (await placeMember(platform)).token)
    await provider.signOut(person)
    expect((await browser.send('GET', '/api/members/v1/me')).error.code).toBe('sign_in_required')
    for (const left of [other.browser, byPasskey])
      expect((await left.send('GET', '/api/members/v1/me')).status).toBe(200)
    await provider.signOut(newPerson()) // is no member
    const { data } = await platform.call(contract.audit.list, {
      query: { resourceId: member.id, operation: 'me.signOut' },
    })
    expect(data).toMatchObject([{ changes: { after: { ended: 1, method: 'openid' } } }])
    expect((await through('/console/sign-in/openid', person)).status).toBe(200)
  })

  test('what is no logout token of the provider for this platform ends nothing', async () => {
    const { browser, person } = await accepted()
    let idToken = ''
    provider.forge = (issued) => (idToken = issued)
    await through('/console/sign-in/openid', person)
    provider.forge = null
    const logout = (token: string) =>
      fetch(new URL('/console/openid/logout', platform.apiUrl), {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      })
    const own = await generateKeyPair('RS256')
    const forged = await new SignJWT({ sub: person.sub, events: { [LOGOUT]: {} }, jti: '1' })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(provider.issuer)
      .setAudience('tillwright')
      .setIssuedAt()
      .sign(own.privateKey)
    for (const token of [idToken, forged, 'a.b.c', '']) {
      const answer = await logout(token)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({
        error: 'invalid_request',
        error_description: 'This is no logout token of Company Login for this platform.',
      })
    }
    expect((await browser.send('GET', '/api/members/v1/me')).status).toBe(200)
  })

  test('the last way to sign in stays, whichever it is', async () => {
    const { browser } = await accepted()
    const { identities, member } = await meOf(browser)
    const unlink = () => browser.send('POST', `/api/members/v1/me/identities/${identities[0]?.id}/remove`)
    expect((await unlink()).error).toMatchObject({ code: 'state_conflict' })
    const passkeyId = await placePasskey(platform, member.id)
    const remove = () => browser.send('POST', `/api/members/v1/me/passkeys/${passkeyId}/remove`)
    expect((await remove()).status).toBe(200)
    await placePasskey(platform, member.id)
    expect((await unlink()).status).toBe(200)
  })

  test('an account of the provider is of one member, and a removed member signs in no more', async () => {
    const { person, member } = await accepted()
    expect((await accepted(person)).answer.error.message).toMatch(/signs in another member already/)
    await platform.call(contract.members.remove, { params: { memberId: member.id } })
    expect((await through('/console/sign-in/openid', person)).error.code).toBe('sign_in_failed')
    expect((await accepted(person)).answer.status).toBe(200)
  })

  test('while the provider is down, the page says so and passkeys work', async () => {
    platform.clock.advance(2 * 60 * 60_000) // its metadata is read again
    provider.isDown = true
    const browser = consoleBrowser(platform)
    const begun = await browser.post('/console/sign-in/openid', {})
    expect(begun.error).toMatchObject({ code: 'upstream_failed' })
    expect(begun.error.message).toMatch(/^Company Login cannot be reached; sign in with a passkey/)
    expect((await browser.post('/console/sign-in/begin', {})).status).toBe(200)
    const told = await fetch(new URL('/console/openid/logout', platform.apiUrl), {
      method: 'POST',
      body: 'logout_token=a',
    })
    expect([told.status, await told.json()]).toMatchObject([503, { error: 'temporarily_unavailable' }])
    provider.isDown = false
    expect((await browser.post('/console/sign-in/openid', {})).status).toBe(200)
  })

  test('the metadata and keys of the provider are read once for many sign-ins', async () => {
    const { person } = await accepted()
    provider.asked.length = 0
    for (let times = 0; times < 3; times++) await through('/console/sign-in/openid', person)
    expect(provider.asked.filter((path) => path === 'POST /token')).toHaveLength(3)
    expect(provider.asked.filter((path) => /well-known|jwks/.test(path))).toEqual([])
  })
})

test('a provider that refuses the platform for its secret is told apart from one that refuses the person', async () => {
  const provider = await startProvider()
  const env = { ...provider.env, TILLWRIGHT_OPENID_CLIENT_SECRET: 'the former secret, of many characters' }
  const platform = await startTestPlatform({ env })
  onTestFinished(async () => {
    await platform.remove()
    await provider.stop()
  })
  await provider.register(platform.apiUrl)
  const asked = { browser: consoleBrowser(platform), path: '/console/sign-in/openid' }
  const answer = await throughProvider(asked, newPerson(), provider)
  expect(answer.error).toMatchObject({ code: 'upstream_failed' })
  expect(answer.error.message).toBe(
    'Company Login refuses this platform; tell its operator, and sign in with a passkey or a recovery code.',
  )
  const [line = ''] = platform.logged.filter((logged) => logged.includes('OpenID Connect'))
  expect(line).toContain('TILLWRIGHT_OPENID_CLIENT_SECRET')
  expect(line).not.toContain('the former secret')
})

test('the settings of the provider come together, over HTTPS', () => {
  const env = {
    TILLWRIGHT_OPENID_ISSUER: 'https://login.company.example',
    TILLWRIGHT_OPENID_CLIENT_ID: 'a',
    TILLWRIGHT_OPENID_CLIENT_SECRET: 'b',
  }
  expect(readConfig(env).openId).toEqual({
    issuer: 'https://login.company.example',
    clientId: 'a',
    clientSecret: 'b',
    name: 'login.company.example',
  })
  expect(readConfig({}).openId).toBeUndefined()
  for (const [changed, complaint] of [
    [{ TILLWRIGHT_OPENID_ISSUER: undefined }, /^TILLWRIGHT_OPENID_ISSUER: is required/],
    [{ TILLWRIGHT_OPENID_CLIENT_ID: undefined }, /^TILLWRIGHT_OPENID_CLIENT_ID: is required/],
    [{ TILLWRIGHT_OPENID_CLIENT_SECRET: undefined }, /^TILLWRIGHT_OPENID_CLIENT_SECRET: is required/],
    [{ TILLWRIGHT_OPENID_ISSUER: 'http://login.company.example' }, /must be an https:\/\/ address/],
    [{ TILLWRIGHT_OPENID_NAME: '<b>Us</b>' }, /^TILLWRIGHT_OPENID_NAME: must be up to 60 letters/],
  ] as const)
    expect(() => readConfig({ ...env, ...changed })).toThrow(complaint)
})
