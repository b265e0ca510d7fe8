import { expect, test } from 'vitest'
import { manualClock } from '../runtime/clock.ts'
import { seededRandomness } from '../runtime/randomness.ts'
import { SharedBeginning } from '../runtime/shared-beginning.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { cardFramePage, type CardFrameParts, tooManyFrames } from './frame-pages.ts'
import { readFrameSession } from './frame-sessions.ts'

const randomness = seededRandomness('card frame')
const secrets = secretBox(randomness.bytes(32), randomness)
const services: CardFrameParts = {
  beginning: new SharedBeginning('<!doctype html><script>form</script><script>send</script><data data-frame="'),
  end: '{{frame}}"></data>$& {{other}}',
  hashes: { scripts: ['sha256-Zm9ybQ==', 'sha256-c2VuZA=='], style: 'sha256-c3R5bGU=' },
  caller: { kind: 'publishable', keyId: 'key_1', allowedOrigins: ['https://shop.example', 'http://localhost:4410'] },
  consoleOrigin: null,
  query: { key: 'test_pk_abc', origin: 'https://shop.example', id: 'f_1' },
  jwk: { kty: 'EC', crv: 'P-256', x: 'xx', y: 'yy', kid: 'kk', alg: 'ECDH-ES' },
  services: { clock: manualClock(1_893_456_000_000), randomness, secrets },
}

test('the page ends with its settings in one attribute', () => {
  const { status, html, beginning } = cardFramePage(services)
  expect(status).toBe(200)
  expect(beginning).toBe(services.beginning)
  const [, attribute = '', rest] = /^([^"]*)(.*)/.exec(html) ?? []
  const settings = JSON.parse(attribute.replaceAll('&quot;', '"'))
  expect(settings).toEqual({
    session: expect.any(String),
    jwk: { kty: 'EC', crv: 'P-256', x: 'xx', y: 'yy', kid: 'kk' },
    now: 1_893_456_000_000,
  })
  expect(rest).toBe('"></data>$& {{other}}')
  const owner = { keyId: 'key_1', origin: 'https://shop.example' }
  expect(readFrameSession(settings.session, owner, { secrets })).toMatch(/^[0-9A-Za-z]{22}$/)
})

test('settings cannot leave their attribute', () => {
  const kid = `"><script>alert('1')</script>&quot;$&`
  const { html } = cardFramePage({ ...services, jwk: { ...services.jwk, kid } })
  expect(html).not.toContain('<script>')
  expect(html).toContain('\\&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;quot;$&amp;')
})

test('the headers shut out everything but the two scripts, the one style, the vault and the pages of the key', () => {
  expect(cardFramePage(services).headers).toEqual({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy':
      "default-src 'none'; script-src 'sha256-Zm9ybQ==' 'sha256-c2VuZA=='; style-src 'sha256-c3R5bGU='; connect-src 'self'; " +
      "form-action 'none'; base-uri 'none'; frame-ancestors https://shop.example http://localhost:4410; " +
      "require-trusted-types-for 'script'; trusted-types 'none'",
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Integrity-Policy': 'blocked-destinations=(script)',
    'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  })
})

test('a client that loads forms faster than buyers do is told when to come again', () => {
  const { status, headers } = tooManyFrames(7)
  expect([status, headers['Retry-After']]).toEqual([429, '7'])
  expect(headers['Content-Security-Policy']).toBe("default-src 'none'; frame-ancestors 'none'")
})

test('what is no origin adds nothing to the policy', () => {
  const allowedOrigins = [
    'https://shop.example',
    "https://a.example; script-src 'unsafe-inline'",
    '*',
    'https://b.example/',
  ]
  const { headers } = cardFramePage({ ...services, caller: { kind: 'publishable', keyId: 'key_1', allowedOrigins } })
  expect(headers['Content-Security-Policy']).toContain('; frame-ancestors https://shop.example; ')
})

test.each([
  ['an unknown key', { caller: null }, 404],
  ['a secret key', { caller: { kind: 'secret', keyId: 'key_1', allowedOrigins: ['https://shop.example'] } }, 404],
  ['another origin', { query: { ...services.query, origin: 'https://<evil>.example' } }, 403],
  ['no origin', { query: { ...services.query, origin: '' } }, 403],
  ['another scheme', { query: { ...services.query, origin: 'http://shop.example' } }, 403],
  ['another port', { query: { ...services.query, origin: 'https://shop.example:8443' } }, 403],
  ['the port that goes without saying', { query: { ...services.query, origin: 'https://shop.example:443' } }, 403],
  ['a name below the allowed one', { query: { ...services.query, origin: 'https://a.shop.example' } }, 403],
  ['a name that begins alike', { query: { ...services.query, origin: 'https://shop.example.evil.example' } }, 403],
  ['a user before the name', { query: { ...services.query, origin: 'https://shop.example@evil.example' } }, 403],
  ['a path', { query: { ...services.query, origin: 'https://shop.example/' } }, 403],
  ['other letters', { query: { ...services.query, origin: 'https://SHOP.example' } }, 403],
  ['an opaque origin', { query: { ...services.query, origin: 'null' } }, 403],
  ['a wildcard', { query: { ...services.query, origin: '*' } }, 403],
  [
    'an origin that browsers do not write, though the key lists it',
    {
      caller: { kind: 'publishable', keyId: 'key_1', allowedOrigins: ['null', '*'] },
      query: { ...services.query, origin: 'null' },
    },
    403,
  ],
  ['an id with a tag in it', { query: { ...services.query, id: '<evil>' } }, 400],
] satisfies [string, Partial<CardFrameParts>, number][])(
  'for %s there is a plain page instead',
  (_, change, status) => {
    const page = cardFramePage({ ...services, ...change })
    expect(page.status).toBe(status)
    expect(page.headers['Content-Security-Policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(page.html).toContain('<title>Nothing to show</title>')
    expect(page.html).not.toMatch(/<evil>|evil\.example|test_pk_abc|shop\.example/)
  },
)
