import { openApi, pluginFileSchema } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../test/test-platform.ts'
import { platformVersion } from '../../version.ts'

const platform = sharedPlatform()

test('an address that there is not is a 404 that names the reference', async () => {
  const { request, apiUrl } = platform()
  const answer = await request('GET', '/api/public/v1/nothing')
  expect(answer.status).toBe(404)
  expect(answer.error).toMatchObject({ code: 'route_not_found', message: expect.stringContaining(`${apiUrl}/docs`) })
  expect(answer.headers['x-request-id']).toBe(answer.error.requestId)
})

test.for([
  ['DELETE', '/api/public/v1/products/tote', 'GET'],
  ['PUT', '/api/public/v1/stores/create', 'POST'],
  ['GET', '/api/public/v1/stores/create', 'POST'],
  ['PATCH', '/api/public/v1/auth/test', 'GET, POST'],
  ['OPTIONS', '/api/payments/v1/payments', 'POST, GET'],
] as const)('%s %s is a 405 that allows %s', async ([method, path, allow]) => {
  const answer = await platform().request(method, path)
  expect(answer.status).toBe(405)
  expect(answer.headers['allow']).toBe(allow)
  expect(answer.error.code).toBe('method_not_allowed')
})

test('HEAD is answered as GET without its body', async () => {
  const answer = await platform().request('HEAD', '/api/public/v1/auth/test')
  expect([answer.status, answer.text]).toEqual([200, ''])
})

test('products/create is not taken for the product named create', async () => {
  expect((await platform().request('POST', '/api/public/v1/products/create', { body: {} })).status).toBe(400)
  expect((await platform().request('GET', '/api/public/v1/products/create')).status).not.toBe(500)
})

test('the vault’s origin takes cards and nothing else, the API’s takes no cards, and each names the other', async () => {
  const { request, vaultRequest, local, apiUrl } = platform()
  const atVault = await vaultRequest('GET', '/api/payments/v1/payments/pay_1', { key: local.apiKey })
  expect([atVault.status, atVault.error.message]).toEqual([
    404,
    `This host is not that of the API, which answers GET /api/payments/v1/payments/pay_1; ${apiUrl}/docs lists every operation.`,
  ])
  const atApi = await request('POST', '/api/vault/v1/tokens', { body: {}, key: local.publishableKey })
  expect([atApi.status, atApi.error.message]).toEqual([
    404,
    `This host is not that of the vault, which answers POST /api/vault/v1/tokens; ${apiUrl}/docs lists every operation.`,
  ])
  expect((await vaultRequest('POST', '/api/vault/v1/tokens', { body: {} })).status).toBe(400)
})

test('the contract is served as OpenAPI, with the addresses of this deployment', async () => {
  const answer = await platform().request('GET', '/openapi.json', { key: '' })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.body).toEqual(openApi(platformVersion, [platform().apiUrl], [platform().vaultUrl]))
})

test('editors find the JSON Schema of plugin.manifest.json', async () => {
  const answer = await platform().request('GET', '/schemas/plugin.json', { key: '' })
  expect(answer.headers['content-type']).toBe('application/schema+json; charset=utf-8')
  expect(JSON.parse(answer.text)).toEqual(pluginFileSchema())
})

test('the reference is found with a slash at the end as well', async () => {
  const { apiUrl } = platform()
  for (const path of ['/docs', '/docs/errors', '/docs/products']) {
    const answer = await fetch(`${apiUrl}${path}/?q=a`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([301, `${path}?q=a`])
  }
})

test('every link of the reference leads somewhere, and its pages load nothing', async () => {
  const { request } = platform()
  const first = await request('GET', '/docs', { key: '' })
  expect(first.headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-/,
  )
  const chapters = [...new Set([...first.text.matchAll(/href="(\/docs\/\w+)"/g)].map(([, path = '']) => path))]
  expect(chapters.length).toBeGreaterThan(40)
  const pages = await Promise.all(
    chapters.map(async (path) => [path, await request('GET', path, { key: '' })] as const),
  )
  const texts = new Map([['/docs', first.text], ...pages.map(([path, { text }]) => [path, text] as const)])
  for (const [path, text] of texts) {
    expect([path, text.match(/ src="(?!data:)/)]).toEqual([path, null])
    for (const [, target = '', anchor = ''] of text.matchAll(/href="(\/docs[^"#]*)?(#[^"]+)"/g))
      expect(texts.get(target || path), `${path}: ${target}${anchor}`).toContain(`id="${anchor.slice(1)}"`)
  }
  expect((await request('GET', '/docs/nothing', { key: '' })).status).toBe(404)
})

test('every error leads to a place in the reference', async () => {
  const { request } = platform()
  const { error } = await request('GET', '/nothing')
  const page = await request('GET', new URL(error.docUrl).pathname, { key: '' })
  expect(page.status).toBe(200)
  expect(page.text).toContain(`id="${new URL(error.docUrl).hash.slice(1)}"`)
})
