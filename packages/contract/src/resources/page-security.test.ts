import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageSecurity } from './page-security.ts'

const allows = (origin: string) => pageSecurity.safeParse({ connect: [origin] }).success

test('https origins are accepted unchanged', () => {
  for (const origin of ['https://api.example', 'https://api.example:8443', 'https://xn--bcher-kva.example']) {
    expect(allows(origin), origin).toBe(true)
  }
})

test.for([
  '*',
  'https:',
  'https://*',
  'https://*.example',
  'http://api.example',
  'https://api.example/',
  'https://api.example/path',
  'https://user@api.example',
  'https://API.example',
  'https://api.example:443',
  'https://api.example; script-src *',
  "https://api.example 'unsafe-inline'",
  'data:',
  "'self'",
])('%s is refused', (origin) => {
  expect(allows(origin)).toBe(false)
})

test('third-party scripts and styles are never allowed', () => {
  for (const key of ['script', 'style']) {
    const { error } = pageSecurity.safeParse({ [key]: ['https://cdn.example'] })
    expect(error?.issues).toMatchObject([{ path: [key], message: expect.stringContaining('cannot be widened') }])
  }
})

test('no accepted origin contains a character that separates policies', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `https://${text}`),
        fc.webUrl(),
      ),
      (origin) => {
        if (allows(origin)) expect(origin).toMatch(/^https:\/\/[a-z0-9.:-]+$/)
      },
    ),
  )
})
