import { get, type IncomingHttpHeaders } from 'node:http'
import { readdir, readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openApi } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { sharedPlatform, SHOP_URL } from '../../../test/test-platform.ts'

const platform = sharedPlatform()

interface Download {
  status: number | undefined
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** As it comes over the wire, from a name under which no key is in the page. */
function download(url: string, encoding: string): Promise<Download> {
  const headers = { 'accept-encoding': encoding, accept: 'text/html', host: new URL(url).host }
  return new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => {
      buffer(answer).then((bytes) => resolve({ status: answer.statusCode, headers: answer.headers, bytes }), reject)
    }).on('error', reject)
  })
}

const assets = new URL('assets/', import.meta.resolve('@tillwright/console/dist/index.html'))
const checkout = new URL('./', import.meta.resolve('@tillwright/checkout/dist/card.html'))
const consoleFiles = (await readdir(assets)).filter((name) => !name.endsWith('.br'))
const { languages } = JSON.parse(await readFile(new URL('card.json', checkout), 'utf8')) as { languages: string } // as its build writes it
const [pinned = ''] = await readdir(new URL('pinned/', checkout))
const chapters = openApi('0', []).tags.map(({ name }) => `/docs/${name}`)

const ofApi = [
  '/',
  '/openapi.json',
  '/schemas/plugin.json',
  '/docs/errors',
  '/console/',
  ...consoleFiles.map((name) => `/console/assets/${name}`),
]
const ofVault = ['/v1/tillwright.js', `/v1/${pinned}`, '/v1/threeds.js', `/v1/languages/${languages}/fr.json`]

/** Each static address, and the reference as it is for those who may send no requests from it. */
function addresses(): string[] {
  const { apiUrl, vaultUrl } = platform()
  const elsewhere = new URL(apiUrl)
  elsewhere.hostname = elsewhere.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return [
    ...ofApi.map((path) => apiUrl + path),
    ...['/docs', ...chapters.slice(0, 3)].map((path) => elsewhere.origin + path),
    ...ofVault.map((path) => vaultUrl + path),
  ]
}

test('whatever is the same for everybody is sent by brotli, by gzip or as it is, and is the same then', async () => {
  for (const url of addresses()) {
    const [plain, br, gzip] = await Promise.all(
      ['identity', 'gzip, br', 'gzip, br;q=0'].map((each) => download(url, each)),
    )
    expect([url, plain?.status]).toEqual([url, 200])
    const encodings = [plain, br, gzip].map((each) => each?.headers['content-encoding'])
    expect([url, ...encodings]).toEqual([url, undefined, 'br', 'gzip'])
    for (const answer of [plain, br, gzip]) expect(answer?.headers.vary, url).toMatch(/(?:^|, )Accept-Encoding$/)
    const bytes = plain?.bytes ?? Buffer.of()
    expect(bytes.length, url).toBeGreaterThan(0)
    expect(brotliDecompressSync(br?.bytes ?? '').equals(bytes), url).toBe(true)
    expect(gunzipSync(gzip?.bytes ?? '').equals(bytes), url).toBe(true)
    if (bytes.length > 1_000) expect(br?.bytes.length, url).toBeLessThan(bytes.length * 0.6)
  }
})

test('the frames, whose ends or settings are of one request, are the same by brotli, by gzip and as they are', async () => {
  const { vaultUrl, local } = platform()
  const query = new URLSearchParams({ key: local.publishableKey, origin: SHOP_URL, id: 'f_1' })
  for (const path of ['/v1/card', '/v1/threeds']) {
    const [br, gzip, plain] = await Promise.all(
      ['br', 'gzip', 'identity'].map((encoding) => download(`${vaultUrl}${path}?${query}`, encoding)),
    )
    const headers = { vary: 'Accept-Encoding', 'cache-control': 'no-store' }
    expect(br?.headers).toMatchObject({ 'content-encoding': 'br', ...headers })
    expect(gzip?.headers).toMatchObject({ 'content-encoding': 'gzip', ...headers })
    // Each has a session or a time of its own.
    const parts = [brotliDecompressSync(br?.bytes ?? ''), gunzipSync(gzip?.bytes ?? ''), plain?.bytes ?? '']
    const bodies = parts.map((each) => each.toString().replace(/data-frame="[^"]+"/, 'data-frame=""'))
    expect(bodies[0]).toMatch(/^<!doctype html>.*data-frame="".*<\/html>$/s)
    expect(new Set(bodies).size).toBe(1)
  }
})

test('a card form is compressed as well as what is the same for everybody', async () => {
  const { vaultUrl, local } = platform()
  const query = new URLSearchParams({ key: local.publishableKey, origin: SHOP_URL, id: 'f_1' })
  const { bytes } = await download(`${vaultUrl}/v1/card?${query}`, 'br')
  const best = brotliCompressSync(await readFile(new URL('card.html', checkout))).length
  expect(bytes.length - best).toBeLessThan(600) // the settings, as they are
})

test('answers of the API are not compressed: their length would reveal secrets next to the input', async () => {
  const { request } = platform()
  const { headers } = await request('GET', '/api/public/v1/payment-flows', {
    headers: { 'Accept-Encoding': 'br, gzip' },
  })
  expect(headers['content-encoding']).toBeUndefined()
})
