import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { consoleBrowser, placeMember } from '../test/console-browser.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// The attacker has watched a member sign in, runs a page that looks like the console, has a copy of a passkey, or has
// found an old link, and wants a session.

const platform = sharedPlatform()
let count = 0
const invite = async () =>
  (
    await platform().call(contract.members.invite, {
      body: { email: `victim${(count += 1)}@example.com`, role: 'owner' },
    })
  ).link

async function member() {
  const browser = consoleBrowser(platform())
  expect((await browser.accept(await invite())).status).toBe(200)
  return browser
}

test('the answer to a challenge is good once, in the browser that asked for it, for five minutes', async () => {
  const victim = await member()
  const response = victim.authenticator.get(await victim.begin(), { origin: victim.origin })
  const ceremony = victim.cookies.get('tillwright_ceremony') ?? ''
  const attacker = consoleBrowser(platform())
  await attacker.begin()
  expect((await attacker.post('/console/sign-in/passkey', { response })).error.code).toBe('sign_in_failed')
  expect((await victim.post('/console/sign-in/passkey', { response })).status).toBe(200)
  const replayed = { response }
  const Cookie = `tillwright_ceremony=${ceremony}`
  expect((await attacker.post('/console/sign-in/passkey', replayed, { Cookie })).error.code).toBe('sign_in_failed')
  const late = victim.authenticator.get(await victim.begin(), { origin: victim.origin })
  platform().clock.advance(5 * 60_000)
  expect((await victim.post('/console/sign-in/passkey', { response: late })).error.code).toBe('sign_in_failed')
})

test('a passkey that answered to another origin, another host, or without the person is none', async () => {
  const victim = await member()
  const { origin } = victim
  for (const by of [
    { origin: 'https://console.evil.example' },
    { origin: origin.replace(/\d+$/, '1') },
    { origin, rpId: 'evil.example' },
    { origin, isVerified: false },
  ]) {
    const response = victim.authenticator.get(await victim.begin(), by)
    const answer = await victim.post('/console/sign-in/passkey', { response })
    expect([answer.status, answer.error.code], JSON.stringify(by)).toEqual([401, 'sign_in_failed'])
    const newcomer = consoleBrowser(platform())
    const token = new URL(await invite()).hash.slice(1)
    const { options } = (await newcomer.post('/console/accept/begin', { token })).body as {
      options: Parameters<typeof newcomer.authenticator.create>[0]
    }
    const made = newcomer.authenticator.create(options, by)
    const accepted = await newcomer.post('/console/accept/finish', { token, name: 'Phone', response: made })
    expect([accepted.status, accepted.error.code], JSON.stringify(by)).toEqual([401, 'sign_in_failed'])
  }
})

test('a copy of an authenticator, whose counter is lower, signs no one in', async () => {
  const victim = await member()
  for (let times = 0; times < 3; times++) expect((await victim.signIn()).status).toBe(200)
  victim.authenticator.setCounter(1)
  expect((await victim.signIn()).error.code).toBe('sign_in_failed')
})

test('an invitation is accepted once, replaced by a newer one, and dead after three days', async () => {
  const link = await invite()
  expect((await consoleBrowser(platform()).accept(link)).status).toBe(200)
  expect((await consoleBrowser(platform()).accept(link)).error.code).toBe('sign_in_failed')
  const email = 'twice@example.com'
  const [first, second] = [
    await platform().call(contract.members.invite, { body: { email, role: 'owner' } }),
    await platform().call(contract.members.invite, { body: { email, role: 'support' } }),
  ]
  expect((await consoleBrowser(platform()).accept(first.link)).error.code).toBe('sign_in_failed')
  platform().clock.advance(3 * 24 * 60 * 60_000)
  expect((await consoleBrowser(platform()).accept(second.link)).error.code).toBe('sign_in_failed')
})

test('two browsers that accept one invitation at once make one member', async () => {
  const link = await invite()
  const both = await Promise.all([consoleBrowser(platform()).accept(link), consoleBrowser(platform()).accept(link)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
})

test('a session that was planted before the sign-in is not the one afterwards, and ends', async () => {
  const victim = await member()
  const planted = victim.cookies.get('tillwright_console') ?? ''
  expect((await victim.signIn()).status).toBe(200)
  expect(victim.cookies.get('tillwright_console')).not.toBe(planted)
  const attacker = consoleBrowser(platform())
  attacker.cookies.set('tillwright_console', planted)
  expect((await attacker.send('GET', '/api/members/v1/me')).error.code).toBe('sign_in_required')
  // One that the attacker has made up is never taken over.
  const other = consoleBrowser(platform())
  other.cookies.set('tillwright_console', 'a'.repeat(43))
  await other.accept(await invite())
  expect(other.cookies.get('tillwright_console')).not.toBe('a'.repeat(43))
})

test('a session of another account, which the browser had before, ends as well', async () => {
  const victim = await member()
  const former = victim.cookies.get('tillwright_console') ?? ''
  const { accountId } = await platform().addAccount()
  const key = await platform().addKey({ accountId, roles: ['org:admin'] })
  const body = { email: 'elsewhere@example.com', role: 'owner' }
  const invited = await platform().request('POST', '/api/members/v1/members/invite', { key, body })
  const { link } = contract.members.invite.response.parse(invited.body)
  const again = consoleBrowser(platform())
  again.cookies.set('tillwright_console', former)
  expect((await again.accept(link)).status).toBe(200)
  expect((await again.send('GET', '/api/members/v1/me')).status).toBe(200)
  const attacker = consoleBrowser(platform())
  attacker.cookies.set('tillwright_console', former)
  expect((await attacker.send('GET', '/api/members/v1/me')).error.code).toBe('sign_in_required')
})

test('no token, link or code of members is in the database or the log', async () => {
  const email = 'kept@example.com'
  const { link } = await platform().call(contract.members.invite, { body: { email, role: 'owner' } })
  const browser = consoleBrowser(platform())
  const { recoveryCodes } = (await browser.accept(link)).body as { recoveryCodes: string[] }
  await browser.send('POST', '/api/members/v1/me/recovery-codes')
  const again = (await browser.send('POST', '/api/members/v1/me/recovery-codes')).body as { codes: string[] }
  const { token } = await placeMember(platform())
  const secrets = [
    link.split('#')[1] ?? '',
    browser.cookies.get('tillwright_console') ?? '',
    token,
    ...recoveryCodes,
    ...again.codes,
  ]
  const { db } = platform().services
  const tables = ['members', 'passkeys', 'recovery_codes', 'member_sessions', 'sign_in_ceremonies', 'audit_entries']
  const rows = await Promise.all(tables.map((table) => db.read(`SELECT * FROM ${table}`, [])))
  const kept = JSON.stringify(rows) + platform().logged.join('')
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(18)
    expect(kept.includes(secret) || kept.includes(secret.replaceAll('-', ''))).toBe(false)
  }
})
