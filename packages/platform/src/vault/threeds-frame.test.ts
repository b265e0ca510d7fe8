import { expect, test } from 'vitest'
import { threedsFramePage, type ThreedsFrameParts } from './frame-pages.ts'

const services: ThreedsFrameParts = {
  files: {
    html: '<html lang="{{lang}}" dir="{{dir}}" data-frame="{{frame}}"><title>{{title}}</title><button>{{cancel}}',
    hashes: { scripts: ['sha256-c2NyaXB0'], style: 'sha256-c3R5bGU=' },
    texts: new Map([
      ['en', { lang: 'en', dir: 'ltr', title: 'Card verification', cancel: 'Cancel', elsewhere: 'In the app' }],
      ['fa', { lang: 'fa', dir: 'rtl', title: 'تأیید کارت', cancel: 'لغو', elsewhere: 'در برنامه' }],
    ]),
  },
  caller: { kind: 'publishable', keyId: 'key_1', allowedOrigins: ['https://shop.example', 'http://localhost:4410'] },
  consoleOrigin: null,
  query: { key: 'test_pk_abc', origin: 'https://shop.example', id: 'f_1', locale: 'fa', returnUrl: '' },
  environment: 'development',
}

test('the frame carries its settings as one attribute and speaks the language that was asked for', () => {
  const { status, html } = threedsFramePage(services)
  expect(status).toBe(200)
  expect(html).toMatch(/^<html lang="fa" dir="rtl" .*<title>تأیید کارت<\/title><button>لغو$/)
  expect(settingsOf(html)).toEqual({
    id: 'f_1',
    origin: 'https://shop.example',
    key: 'test_pk_abc',
    issuers: ['https://'],
    returnUrl: '',
  })
})

test('a language that there is not is English', () => {
  expect(threedsFramePage({ ...services, query: { ...services.query, locale: '__proto__' } }).html).toContain(
    'lang="en"',
  )
})

test('the headers let banks be framed and sent forms, and nothing else', () => {
  expect(threedsFramePage(services).headers).toEqual({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy':
      "default-src 'none'; script-src 'sha256-c2NyaXB0'; style-src 'sha256-c3R5bGU='; connect-src 'self'; " +
      "frame-src https:; form-action https:; base-uri 'none'; " +
      "frame-ancestors https://shop.example http://localhost:4410; require-trusted-types-for 'script'; " +
      "trusted-types 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Integrity-Policy': 'blocked-destinations=(script)',
    'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'Referrer-Policy': 'strict-origin',
    'X-Content-Type-Options': 'nosniff',
  })
})

test('only in local development a bank may be on this machine, without HTTPS', () => {
  const { html, headers } = threedsFramePage({ ...services, environment: 'local' })
  expect(settingsOf(html).issuers).toEqual(['https://', 'http://localhost:', 'http://127.0.0.1:', 'http://[::1]:'])
  expect(headers['Content-Security-Policy']).toContain('frame-src https: http:; form-action https: http:; ')
})

test('a page of its own leads back to the origin of the shop, and no page may hold it', () => {
  const returnUrl = 'https://shop.example/paid?order=1'
  const { status, html, headers } = threedsFramePage({ ...services, query: { ...services.query, returnUrl } })
  expect(status).toBe(200)
  expect(settingsOf(html).returnUrl).toBe(returnUrl)
  expect(headers['Content-Security-Policy']).toContain("; frame-ancestors 'none'; ")
})

test.each([
  'https://evil.example/',
  'https://shop.example@evil.example/',
  'https://shop.example.evil.example/',
  '//evil.example',
  'javascript:alert(1)',
  'data:text/html,',
  'blob:https://shop.example/1',
  '/paid',
])('a way back to %s is refused', (returnUrl) => {
  const page = threedsFramePage({ ...services, query: { ...services.query, returnUrl } })
  expect(page.status).toBe(400)
  expect(page.html).not.toContain('evil')
})

test('whom the key does not know gets a plain page', () => {
  expect(threedsFramePage({ ...services, caller: null }).status).toBe(404)
  expect(threedsFramePage({ ...services, query: { ...services.query, origin: 'https://evil.example' } }).status).toBe(
    403,
  )
})

test('settings cannot leave their attribute', () => {
  const returnUrl = 'https://shop.example/?"><script>alert(1)</script>'
  expect(threedsFramePage({ ...services, query: { ...services.query, returnUrl } }).html).not.toContain('<script>')
})

function settingsOf(html: string): Record<string, unknown> {
  const [, attribute = ''] = /data-frame="([^"]*)"/.exec(html) ?? []
  return JSON.parse(attribute.replaceAll('&quot;', '"'))
}
