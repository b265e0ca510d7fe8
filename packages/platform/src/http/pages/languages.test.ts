import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../test/test-platform.ts'

const platform = sharedPlatform()
const built = (name: string): Promise<string> =>
  readFile(new URL(import.meta.resolve(`@tillwright/checkout/dist/${name}`)), 'utf8')
const { languages } = JSON.parse(await built('card.json'))

test('a language of the card form may be kept for ever, because its address changes with it', async () => {
  const answer = await platform().vaultRequest('GET', `/v1/languages/${languages}/pt-BR.json`, { key: '' })
  expect(answer.status).toBe(200)
  expect(answer.text).toBe(await built('languages/pt-BR.json'))
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
})

test.each([
  `/v1/languages/${languages}/xx.json`,
  `/v1/languages/${languages}/..%2Fcard.json`,
  '/v1/languages/0123456789abcdef/fr.json',
])('there is nothing at %s, and the answer may not be cached', async (path) => {
  const answer = await platform().vaultRequest('GET', path, { key: '' })
  expect(answer.status).toBe(404)
  expect(answer.headers['cache-control'] ?? 'no-store').toBe('no-store')
})
