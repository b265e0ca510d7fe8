/**
 * Another web page on a developer's machine, or a plugin's page of the same platform. The reference page of a local
 * platform is filled in with the local key; the attacker wants to read it there, or to send a secret key from a page as
 * the reference page may.
 */
import { describe, expect, test } from 'vitest'
import { sharedPlatform } from '../test/test-platform.ts'

const AUTH = '/api/public/v1/auth/test'

/** The same platform under another of this machine's names. */
function otherName(apiUrl: string): URL {
  const url = new URL(apiUrl)
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return url
}

describe('on a local platform', () => {
  const platform = sharedPlatform()

  test('the page is filled in with the key without roles, and only for who opens it at the API’s own address', async () => {
    const { request, local, apiUrl } = platform()
    const { text } = await request('GET', '/docs', { key: '' })
    expect(text).toContain(local.apiKey)
    expect(text).not.toContain(local.adminApiKey)
    expect(text).not.toContain(local.webhookSecret)
    const chapter = await request('GET', '/docs/payments', { key: '' })
    expect(chapter.text).toContain(local.apiKey)
    expect(chapter.headers['content-encoding']).toBeUndefined()
    const elsewhere = await request('GET', '/docs', { key: '', headers: { Host: otherName(apiUrl).host } })
    expect(elsewhere.status).toBe(200)
    expect(elsewhere.text).not.toMatch(/_[sp]k_[0-9A-Za-z]/)
  })

  test.for(['http://localhost:4410', 'https://evil.example', 'null'])(
    'a page of %s can neither read nor frame it',
    async (origin) => {
      const { request } = platform()
      const { headers } = await request('GET', '/docs', { key: '', headers: { Origin: origin } })
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect(headers['cross-origin-opener-policy']).toBe('same-origin')
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    },
  )

  test('a secret key is refused from every page but the reference page', async () => {
    const { request, apiUrl, vaultUrl } = platform()
    const { port } = new URL(apiUrl)
    const others = [vaultUrl, otherName(apiUrl).origin, `http://a.plugins.localhost:${port}`, `${apiUrl}.evil.example`]
    for (const origin of [...others, 'null', `https://localhost:${port}`]) {
      const { error } = await request('GET', AUTH, { headers: { Origin: origin } })
      expect([origin, error.code]).toEqual([origin, 'api_key_invalid'])
    }
    expect((await request('GET', AUTH, { headers: { Origin: apiUrl } })).status).toBe(200)
  })
})

describe('in production', () => {
  const platform = sharedPlatform({ environment: 'production' })

  test('the page holds no key and sends no requests, and a secret key is refused from its origin, too', async () => {
    const { request, apiUrl } = platform()
    const { text } = await request('GET', '/docs/payments', { key: '', headers: { Host: new URL(apiUrl).host } })
    expect(text).toContain('Create a payment')
    expect(text).not.toMatch(/(?:test|live)_[sp]k_[0-9A-Za-z]/)
    expect(text).not.toMatch(/<form|id="account"/)
    const { error } = await request('GET', AUTH, { headers: { Origin: new URL(apiUrl).origin } })
    expect(error.code).toBe('api_key_invalid')
  })
})
