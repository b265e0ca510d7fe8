import type { OutgoingHttpHeaders } from 'node:http'
import { contract, signInLimit } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { consoleBrowser, consoleHeaders, placeMember } from '../test/console-browser.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// The attacker has a member, who is signed in, open a page, and has the member's browser send requests to the platform:
// by a form, by an image, by a script, from another host of the same site. Or plants a cookie from there.

const platform = sharedPlatform()

const disguises: readonly (readonly [what: string, change: OutgoingHttpHeaders])[] = [
  ['another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
  ['another host of the same site', { Origin: 'http://shop.localhost:4400', 'Sec-Fetch-Site': 'same-site' }],
  ['another origin, in a browser that names no site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': undefined }],
  ['a sandboxed frame', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
  ['a form, which has no origin', { Origin: undefined, 'Sec-Fetch-Site': undefined }],
  ['a form, which sends no header of its own', { 'Tillwright-Console': undefined }],
  ['an address that was typed', { Origin: undefined, 'Sec-Fetch-Site': 'none' }],
]

test.for(disguises)('a change from %s is refused, and changes nothing', async ([, change]) => {
  const { token, memberId } = await placeMember(platform())
  const headers = defined({ ...consoleHeaders(platform(), token), ...change })
  const body = { email: 'accomplice@example.com', role: 'owner' }
  const answer = await platform().request('POST', '/api/members/v1/members/invite', { key: '', headers, body })
  expect([answer.status, answer.error.code]).toEqual([403, 'cross_site_refused'])
  const { data } = await platform().call(contract.members.list, { query: { limit: 100 } })
  expect(data.map(({ email }) => email)).not.toContain('accomplice@example.com')
  const out = await platform().request('POST', '/api/members/v1/me/sign-out', { key: '', headers })
  expect(out.error.code).toBe('cross_site_refused')
  const params = { memberId }
  expect((await platform().call(contract.members.listSessions, { params })).data).toHaveLength(1)
})

test.for(disguises)('from %s no member is signed in as the attacker either', async ([, change]) => {
  const headers = defined({ ...consoleHeaders(platform(), null), ...change })
  for (const path of ['/console/sign-in/begin', '/console/sign-in/recovery-code', '/console/accept/begin']) {
    const answer = await platform().request('POST', path, { key: '', headers, body: {} })
    expect([answer.status, answer.error.code]).toEqual([403, 'cross_site_refused'])
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
})

test('another page does not use up what a member may try', async () => {
  const { perMinute, burst } = signInLimit
  const headers = {
    ...consoleHeaders(platform(), null),
    Origin: 'https://evil.example',
    'Sec-Fetch-Site': 'cross-site',
  }
  for (let tries = 0; tries < burst + perMinute; tries++) {
    const answer = await platform().request('POST', '/console/sign-in/begin', { key: '', headers, body: {} })
    expect(answer.error.code).toBe('cross_site_refused')
  }
  expect((await consoleBrowser(platform()).post('/console/sign-in/begin', {})).status).toBe(200)
})

test('what is read with the cookie alone is refused too, and no other origin is let in', async () => {
  const { token } = await placeMember(platform())
  const Cookie = `tillwright_console=${token}`
  const plain = await platform().request('GET', '/api/members/v1/me', { key: '', headers: { Cookie } })
  expect(plain.error.code).toBe('cross_site_refused')
  const preflight = await platform().request('OPTIONS', '/api/members/v1/me', {
    key: '',
    headers: { Origin: 'https://evil.example', 'Access-Control-Request-Headers': 'tillwright-console' },
  })
  expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
})

test('a cookie planted next to the real one opens nothing, and a key is no cookie', async () => {
  const [victim, attacker] = [await placeMember(platform()), await placeMember(platform())]
  const Cookie = `tillwright_console=${attacker.token}; tillwright_console=${victim.token}`
  const headers = { ...consoleHeaders(platform(), null), Cookie }
  const answer = await platform().request('GET', '/api/members/v1/me', { key: '', headers })
  expect(answer.error.code).toBe('sign_in_required')
  const withKey = await platform().request('GET', '/api/members/v1/me', { headers: consoleHeaders(platform(), null) })
  expect(withKey.error.code).toBe('sign_in_required')
})

test('behind HTTPS the cookie is of this very host, and of no script', async () => {
  const { setCookie, consolePlace } = await import('../src/members/index.ts')
  expect(setCookie('session', 'x', consolePlace('https://api.shop.example', 1))).toBe(
    '__Host-tillwright_console=x; Path=/; HttpOnly; SameSite=Strict; Secure',
  )
})

test('the pages cannot be framed, run their own script alone, and are opened by their own host', async () => {
  for (const path of ['/console', '/console/sign-in', '/console/accept']) {
    const { headers } = await platform().request('GET', path, { key: '' })
    const policy = String(headers['content-security-policy'])
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'none'",
      'require-trusted-types-for',
    ])
      expect(policy).toContain(rule)
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' })
    const other = await platform().request('GET', path, { key: '', headers: { Host: 'localhost' } })
    expect([other.status, other.headers.location]).toEqual([302, platform().apiUrl + path])
  }
})

function defined(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
}
