import { contract } from '@tillwright/contract'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { consoleBrowser, placeMember, placeSession } from '../test/console-browser.ts'
import { startProvider, type TestProvider, throughProvider } from '../test/openid-provider.ts'
import { startTestPlatform, type TestPlatform } from '../test/test-platform.ts'

// The attacker has an account of their own at the company's provider, sees addresses of others' sign-ins, has links
// clicked, or stands between the platform and the provider, and wants to be another member, or another to be signed in
// as them.

let provider: TestProvider
let platform: TestPlatform
beforeAll(async () => {
  provider = await startProvider()
  platform = await startTestPlatform({ env: provider.env })
  await provider.register(platform.apiUrl)
})
beforeEach(() => {
  provider.forge = null
})
afterAll(async () => {
  await platform.remove()
  await provider.stop()
})

type Browser = ReturnType<typeof consoleBrowser>

let count = 0
const newBrowser = () => consoleBrowser(platform)
const isSignedIn = async (browser: Browser) => (await browser.send('GET', '/api/members/v1/me')).status === 200
const through = (browser: Browser, path: string, person: { sub: string; email?: string; email_verified?: boolean }) =>
  throughProvider({ browser, path }, person, provider)
const finish = (browser: Browser, back: URL | string) =>
  browser.post('/console/openid/finish', { response: typeof back === 'string' ? back : back.search.slice(1) })

/** Begins a sign-in, and has the provider send it back. */
async function begun(browser: Browser, person: { sub: string }, path = '/console/sign-in/openid') {
  const { url } = (await browser.post(path, {})).body as { url: string }
  return { url: new URL(url), back: await provider.visit(url, person) }
}

/** A member who signs in at the provider. */
async function victim() {
  const person = { sub: `victim-${(count += 1)}` }
  const { memberId, token } = await placeMember(platform)
  const browser = newBrowser()
  browser.cookies.set('tillwright_console', token)
  expect((await through(browser, '/console/identities/begin', person)).status).toBe(200)
  return { person, memberId }
}

async function refused(browser: Browser, back: URL | string) {
  const answer = await finish(browser, back)
  expect([answer.status, answer.error.code]).toEqual([401, 'sign_in_failed'])
  expect(await isSignedIn(browser)).toBe(false)
}

test('a response is good once, in the browser that began it, for five minutes', async () => {
  const { person } = await victim()
  const own = newBrowser()
  const { back } = await begun(own, person)
  const attacker = newBrowser()
  await begun(attacker, { sub: 'attacker' })
  await refused(attacker, back)
  await refused(newBrowser(), back)
  const ceremony = own.cookies.get('tillwright_ceremony') ?? ''
  expect((await finish(own, back)).status).toBe(200)
  attacker.cookies.set('tillwright_ceremony', ceremony)
  await refused(attacker, back)
  const late = newBrowser()
  const { back: tooLate } = await begun(late, person)
  platform.clock.advance(5 * 60_000)
  await refused(late, tooLate)
})

test('a code that is put into a response of another browser signs no one in, whatever state it comes with', async () => {
  const { person } = await victim()
  const stolen = (await begun(newBrowser(), person)).back.searchParams.get('code') ?? ''
  const attacker = newBrowser()
  const { back } = await begun(attacker, { sub: 'attacker' })
  back.searchParams.set('code', stolen)
  await refused(attacker, back)
})

test('a page elsewhere signs no browser in as its owner, and links nothing', async () => {
  const theirs = newBrowser()
  const { back } = await begun(theirs, { sub: 'attacker' })
  const { token } = await placeMember(platform)
  const clicked = newBrowser()
  clicked.cookies.set('tillwright_console', token)
  expect((await finish(clicked, back)).error.code).toBe('sign_in_failed')
  const { body } = await clicked.send('GET', '/api/members/v1/me')
  expect(body).toMatchObject({ identities: [] })
  for (const path of ['/console/identities/begin', '/console/openid/finish', '/console/sign-in/openid']) {
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    const answer = await clicked.post(path, { response: back.search.slice(1) }, foreign)
    expect(answer.error.code, path).toBe('cross_site_refused')
  }
})

test('what a member began to link is not linked to another who signs in meanwhile', async () => {
  const [one, other] = [await placeMember(platform), await placeMember(platform)]
  const browser = newBrowser()
  browser.cookies.set('tillwright_console', one.token)
  const { back } = await begun(browser, { sub: 'attacker' }, '/console/identities/begin')
  browser.cookies.set('tillwright_console', other.token)
  expect((await finish(browser, back)).error.code).toBe('sign_in_failed')
  expect((await browser.send('GET', '/api/members/v1/me')).body).toMatchObject({ identities: [] })
})

test('an address that claims to be a member’s, verified or not, signs no one in', async () => {
  const { memberId } = await placeMember(platform)
  const member = await platform.call(contract.members.get, { params: { memberId } })
  for (const isVerified of [false, true]) {
    const attacker = newBrowser()
    const person = { sub: `attacker-${isVerified}`, email: member.email, email_verified: isVerified }
    const answer = await through(attacker, '/console/sign-in/openid', person)
    expect(answer.error.code).toBe('sign_in_failed')
    expect(await isSignedIn(attacker)).toBe(false)
  }
})

test('a response of another provider, or that names one, is refused before its code is sent anywhere', async () => {
  const { person } = await victim()
  const browser = newBrowser()
  const { back } = await begun(browser, person)
  expect(back.searchParams.get('iss')).toBe(provider.issuer)
  back.searchParams.set('iss', 'https://provider.evil.example')
  provider.asked.length = 0
  await refused(browser, back)
  const unnamed = newBrowser()
  const { back: without } = await begun(unnamed, person)
  without.searchParams.delete('iss')
  provider.asked.length = 0
  await refused(unnamed, without)
  expect(provider.asked).toEqual([])
})

const coded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

test.each<[string, (token: string, sub: string) => string | Promise<string>]>([
  ['without a signature', (token, sub) => `${coded({ alg: 'none' })}.${coded({ ...claimsOf(token), sub })}.`],
  [
    'with the signature of another',
    (token, sub) => {
      const [header, , signature] = token.split('.')
      return `${header}.${coded({ ...claimsOf(token), sub })}.${signature}`
    },
  ],
  [
    'signed by a key of the attacker’s that it brings along',
    async (token, sub) => {
      const { privateKey, publicKey } = await generateKeyPair('RS256')
      const header = { alg: 'RS256', jwk: await exportJWK(publicKey) }
      return new SignJWT({ ...claimsOf(token), sub }).setProtectedHeader(header).sign(privateKey)
    },
  ],
  [
    'signed with the secret of the client',
    (token, sub) =>
      new SignJWT({ ...claimsOf(token), sub })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(provider.clientSecret)),
  ],
])('an ID token %s is none', async (_, forge) => {
  const { person } = await victim()
  provider.forge = (token) => forge(token, person.sub)
  const attacker = newBrowser()
  const { back } = await begun(attacker, { sub: 'attacker' })
  await refused(attacker, back)
})

test('an ID token that was made for another sign-in is none', async () => {
  const { person } = await victim()
  let stolen = ''
  provider.forge = (token) => (stolen = token)
  await through(newBrowser(), '/console/sign-in/openid', person)
  expect(stolen).not.toBe('')
  provider.forge = () => stolen
  const attacker = newBrowser()
  const { back } = await begun(attacker, { sub: 'attacker' })
  await refused(attacker, back)
})

test('nothing that is sent decides where a browser goes, and the code is in no log and no row', async () => {
  const { person } = await victim()
  const browser = newBrowser()
  const host = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }
  const { url } = (await browser.post('/console/sign-in/openid', { redirect: 'https://evil.example' })).body as {
    url: string
  }
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${platform.apiUrl}/console/openid`)
  expect(url).not.toContain('evil')
  const page = await platform.request('GET', '/console/openid?code=a&next=https://evil.example', {
    key: '',
    headers: host,
  })
  expect(JSON.stringify(page.headers) + page.text).not.toContain('evil')
  const back = await provider.visit(url, person)
  await platform.request('GET', `/console/openid${back.search}`, { key: '' })
  expect((await finish(browser, back)).body).toEqual({})
  const { db } = platform.services
  const tables = ['member_identities', 'member_sessions', 'sign_in_ceremonies', 'audit_entries']
  const rows = await Promise.all(tables.map((table) => db.read(`SELECT * FROM ${table}`, [])))
  const kept = JSON.stringify(rows) + platform.logged.join('')
  const secrets = [
    back.searchParams.get('code') ?? '',
    provider.clientSecret,
    browser.cookies.get('tillwright_console') ?? '',
  ]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(18)
    expect(kept).not.toContain(secret)
  }
})

test('a browser that was left open links no account of the attacker’s 15 minutes after the sign-in', async () => {
  const { memberId } = await placeMember(platform)
  const { token } = await placeSession(platform, memberId)
  const browser = newBrowser()
  browser.cookies.set('tillwright_console', token)
  platform.clock.advance(15 * 60_000)
  expect((await browser.post('/console/identities/begin', {})).error.code).toBe('sign_in_required')
})
