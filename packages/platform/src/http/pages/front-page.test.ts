import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../test/test-platform.ts'
import { frontPage } from './docs.ts'

const platform = sharedPlatform()
const HTML = { Accept: 'text/html,application/xhtml+xml' }

test('a browser that opens the API finds out what runs there and where everything is, and each link answers', async () => {
  const { request, apiUrl, vaultUrl } = platform()
  const page = await request('GET', '/', { key: '', headers: HTML })
  expect(page.status).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const links = [...page.text.matchAll(/href="(http[^"]+)"/g)].map(([, url = '']) => url)
  expect(links).toContain(vaultUrl)
  for (const url of links.filter((each) => each.startsWith(apiUrl) && !each.endsWith('/api/public/v1')))
    expect([url, (await fetch(url)).status]).toEqual([url, 200])
})

test('a program reads the same places as JSON', async () => {
  const { request, apiUrl } = platform()
  const { body, headers } = await request('GET', '/', { key: '', headers: { Accept: '*/*' } })
  expect(body).toMatchObject({ name: 'Tillwright', environment: 'local', links: { Reference: `${apiUrl}/docs` } })
  expect(headers['vary']).toBe('Accept')
})

test('the page names the file with the keys, and holds none of them', async () => {
  const { request, local } = platform()
  const { text } = await request('GET', '/', { key: '', headers: HTML })
  expect(text).toContain('.tillwright/local.json')
  for (const key of [local.apiKey, local.adminApiKey, local.publishableKey, local.webhookSecret])
    expect(text).not.toContain(key)
})

test('in production neither the simulated bank nor a development machine’s files are spoken of', () => {
  const urls = { apiUrl: 'https://api.example.com', vaultUrl: 'https://vault.example.com' }
  const { html, json } = frontPage({ ...urls, version: '1.0.0', environment: 'production' })
  expect(html).not.toMatch(/acs|local\.json|localhost/)
  expect(Object.keys(json.links)).not.toContain('3-D Secure')
})
