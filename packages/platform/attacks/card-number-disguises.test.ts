/*
 * The attacker is a careless shop, or a page of one: it sends a buyer's card number to where none belongs, a name, a note,
 * an address, spelt so that a simple look for digits does not see it. From there it would get into rows, events, webhooks
 * and logs.
 */
import { expect, test } from 'vitest'
import { sharedPlatform } from '../test/test-platform.ts'

const platform = sharedPlatform()
const STORES = '/api/public/v1/stores/create'

const disguises = [
  ['dots', '4242.4242.4242.4242'],
  ['double spaces', '4242  4242  4242  4242'],
  ['slashes', '4242/4242/4242/4242'],
  ['underscores', '4242_4242_4242_4242'],
  ['dashes of print', '4242–4242—4242−4242'],
  ['tabs', '4242\t4242\t4242\t4242'],
  ['full-width digits', '４２４２４２４２４２４２４２４２'],
  ['spaces that do not break', '4242\u00a04242\u00a04242\u00a04242'],
  ['characters without width', '4242\u200b4242\u200b4242\u200b4242'],
  ['a mixture', 'Card: 42-42.4 2/4 2_4242\t4.2.4–2, thanks'],
  ['a word in front', 'card_4242_4242_4242_4242'],
] as const

test.for(disguises)('a card number with %s is refused in a value and in a name of a body', async ([, number]) => {
  const { request, logged } = platform()
  for (const body of [
    { name: number },
    { name: 'Shop', [number]: 1 },
    { name: 'Shop', x: [{ y: `Note: ${number}` }] },
  ]) {
    const answer = await request('POST', STORES, { body })
    expect(answer.status).toBe(400)
    expect(answer.error).toMatchObject({ code: 'parameter_invalid', message: expect.stringContaining('card number') })
    expect(answer.text + logged.join('')).not.toContain(number)
  }
})

test.for(disguises)('a card number with %s is refused in an address', async ([, number]) => {
  const { request, logged } = platform()
  const answer = await request('GET', `/api/public/v1/auth/test?card=${encodeURIComponent(number)}`)
  expect(answer.error).toMatchObject({ code: 'parameter_invalid', message: expect.stringContaining('card number') })
  const unknown = await request('GET', `/cards/${encodeURIComponent(number)}`)
  expect(unknown.status).toBe(404)
  expect(answer.text + unknown.text + logged.join('')).not.toContain(encodeURIComponent(number))
})

test('numbers that stand in fields of their own are not taken together', async () => {
  const body = { name: 'Shop', x: [4242, 4242, 4242, 4242], y: ['4242', '4242', '4242', '4242'] }
  expect((await platform().request('POST', STORES, { body })).status).toBe(201)
})

test('a file of a plugin may hold rows of numbers, but no number as it is printed on a card', async () => {
  const file = (content: string) => ({ path: 'drawing.svg', content, contentType: 'image/svg+xml' })
  const deploying = (content: string) => ({
    body: { storeId: platform().local.storeId, inlineAssets: [file(content)] },
  })
  const send = (content: string) => platform().request('POST', '/api/public/v1/plugins/v2/deploy', deploying(content))
  const drawn = await send('<path d="M4.2 4.2 4 2.4 24,2 42.4 2 4,2"/>')
  expect(drawn.text).not.toContain('card number') // it fails for want of a manifest
  for (const number of ['4242424242424242', '4242 4242 4242 4242', '4242-4242-4242-4242']) {
    expect((await send(`<text>${number}</text>`)).text).toContain('card number')
  }
})

test('a field that is called like a file’s is no way around: not inside of another, nor in another operation', async () => {
  const hidden = [{ content: '4242.4242.4242.4242' }]
  for (const [path, body] of [
    [STORES, { name: 'Shop', inlineAssets: hidden }],
    [STORES, { name: 'Shop', metadata: { inlineAssets: hidden } }],
    ['/api/public/v1/plugins/v2/deploy', { sourceData: { inlineAssets: hidden } }],
    ['/api/public/v1/plugins/v2/deploy', { inlineAssets: [{ path: '4242.4242.4242.4242', content: '' }] }],
    ['/api/public/v1/plugins/v2/deploy', { inlineAssets: [{ inlineAssets: hidden, content: '' }] }],
  ] as const) {
    const { status, text } = await platform().request('POST', path, { body })
    expect([path, status, text]).toEqual([path, 400, expect.stringContaining('card number')])
  }
})
