import { expect, test } from 'vitest'
import { loadTexts, packTexts } from './language-files.ts'
import { en } from './texts.ts'

const french = packTexts({ ...en, locale: 'fr', expired: 'Cette carte a expiré.' })

function answering(body: string, status = 200) {
  const asked: unknown[] = []
  const fetch = (url: unknown): Promise<Response> => {
    asked.push(url)
    return Promise.resolve(new Response(body, { status }))
  }
  return { asked, source: { fetch, folder: '/v1/languages/abc' } }
}

test('a language is loaded from its file', async () => {
  const { asked, source } = answering(JSON.stringify(french))
  expect(await loadTexts('fr', source)).toEqual({ ...en, locale: 'fr', expired: 'Cette carte a expiré.' })
  expect(asked).toEqual(['/v1/languages/abc/fr.json'])
})

test('English is there without a request', async () => {
  const { asked, source } = answering('')
  expect(await loadTexts('en', source)).toBe(en)
  expect(asked).toEqual([])
})

test.each([
  ['of another language', JSON.stringify(french.with(0, 'de')), 200],
  ['behind an error', JSON.stringify(french), 500],
  ['in HTML', '<!doctype html><p>Sign in to this network</p>', 200],
  ['cut off', JSON.stringify(french).slice(0, -1), 200],
  ['of a megabyte', JSON.stringify(french.with(1, 'x'.repeat(1_000_000))), 200],
  ['of objects', JSON.stringify({ ...en, locale: 'fr' }), 200],
])('a file %s is not taken', async (_, body, status) => {
  expect(await loadTexts('fr', answering(body, status).source)).toBeNull()
})

test('a file that does not come is no error', async () => {
  const fetch = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'))
  expect(await loadTexts('fr', { fetch, folder: '' })).toBeNull()
})
