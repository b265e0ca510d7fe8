/*
 * The attacker is on the network between a shop's server and the platform, and reads what is sent without HTTPS. A key
 * that is taken there is read there; so it has to be refused, loudly, the first time.
 */
import { hash } from 'node:crypto'
import { byteOperations } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../test/test-platform.ts'

const TEST_KEY = '/api/public/v1/auth/test'
const platform = sharedPlatform({ environment: 'production' })
const bytes = Buffer.from('console.log(1)')
const path = byteOperations.plugins.uploadAsset.path.replace('{sha256}', hash('sha256', bytes))
const put = (headers: Record<string, string>) => platform().request('PUT', path, { body: bytes, headers })

test.for<[string, Record<string, string>]>([
  ['says that it came over HTTP', { 'X-Forwarded-Proto': 'http' }],
  ['has passed no proxy that says anything', { 'X-Forwarded-Proto': '' }],
  ['claims HTTPS in front of a proxy that saw HTTP', { 'X-Forwarded-Proto': 'https, http' }],
])('an upload that %s is refused like any other operation, and nothing is stored', async ([, headers]) => {
  const other = await platform().request('GET', TEST_KEY, { headers })
  const upload = await put(headers)
  expect([upload.status, upload.error.message]).toEqual([other.status, other.error.message])
  expect(upload.error.message).toContain('HTTPS')
  expect(await platform().services.db.read('SELECT sha256 FROM plugin_assets', [])).toEqual([])
})

test('an upload with a secret key from a page is refused, as is one without a key', async () => {
  const fromPage = await put({ Origin: 'https://shop.example' })
  expect([fromPage.status, fromPage.error.code]).toEqual([401, 'api_key_invalid'])
  const without = await platform().request('PUT', path, { body: bytes, key: '' })
  expect([without.status, without.error.code]).toEqual([401, 'api_key_missing'])
})

test('an upload over HTTPS is taken', async () => {
  expect((await put({})).status).toBe(200)
})
