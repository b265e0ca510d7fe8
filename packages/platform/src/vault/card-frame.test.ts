import { expect, test } from 'vitest'
import { cardFramePage, type CardFrameParts } from './card-frame.ts'

const parts: CardFrameParts = {
  html: '<!doctype html><html data-frame="{{frame}}"><title>$& {{other}}</title>',
  hashes: { script: 'sha256-c2NyaXB0', style: 'sha256-c3R5bGU=' },
  caller: { kind: 'publishable', allowedOrigins: ['https://shop.example', 'http://localhost:4410'] },
  query: { key: 'test_pk_abc', origin: 'https://shop.example', id: 'f_1' },
  jwk: { kty: 'EC', crv: 'P-256', x: 'xx', y: 'yy', kid: 'kk', alg: 'ECDH-ES' },
  environment: 'local',
}

test('the page carries its settings as one attribute', () => {
  const { status, html } = cardFramePage(parts)
  expect(status).toBe(200)
  const attribute = /data-frame="([^"]*)"/.exec(html)?.[1] ?? ''
  expect(JSON.parse(attribute.replaceAll('&quot;', '"'))).toEqual({
    v: 1,
    id: 'f_1',
    origin: 'https://shop.example',
    key: 'test_pk_abc',
    jwk: parts.jwk,
    environment: 'local',
  })
  expect(html).toContain('<title>$& {{other}}</title>')
})

test('settings cannot leave their attribute', () => {
  const key = `"><script>alert('1')</script>&quot;$&`
  const { html } = cardFramePage({ ...parts, query: { ...parts.query, key } })
  expect(html).not.toContain('<script>')
  expect(html).toContain('\\&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;quot;$&amp;')
})

test('the policy allows the one script and style, and the origins of the key as the parents', () => {
  const { headers } = cardFramePage(parts)
  expect(headers['Content-Security-Policy']).toBe(
    "default-src 'none'; script-src 'sha256-c2NyaXB0'; style-src 'sha256-c3R5bGU='; connect-src 'self'; " +
      "form-action 'none'; base-uri 'none'; frame-ancestors https://shop.example http://localhost:4410; " +
      "require-trusted-types-for 'script'",
  )
  expect(headers).toMatchObject({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Integrity-Policy': 'blocked-destinations=(script)',
  })
})

test('what is no origin adds nothing to the policy', () => {
  const allowedOrigins = [
    'https://shop.example',
    "https://a.example; script-src 'unsafe-inline'",
    '*',
    'https://b.example/',
  ]
  const { headers } = cardFramePage({ ...parts, caller: { kind: 'publishable', allowedOrigins } })
  expect(headers['Content-Security-Policy']).toContain('; frame-ancestors https://shop.example; ')
})

test.each([
  ['an unknown key', { caller: null }, 404],
  ['a secret key', { caller: { kind: 'secret', allowedOrigins: ['https://shop.example'] } }, 404],
  ['another origin', { query: { ...parts.query, origin: 'https://<evil>.example' } }, 403],
  ['no origin', { query: { ...parts.query, origin: '' } }, 403],
  ['an id with a tag in it', { query: { ...parts.query, id: '<evil>' } }, 400],
] satisfies [string, Partial<CardFrameParts>, number][])(
  'for %s there is a plain page instead',
  (_, change, status) => {
    const page = cardFramePage({ ...parts, ...change })
    expect(page.status).toBe(status)
    expect(page.headers['Content-Security-Policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(page.html).toContain('<title>No card form</title>')
    expect(page.html).not.toMatch(/evil|test_pk_abc|shop\.example/)
  },
)
