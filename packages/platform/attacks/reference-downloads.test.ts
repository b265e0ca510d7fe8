/*
 * The attacker has one address and no key, and asks for the script of the reference page over and over, which is 4.35 MB.
 */
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { docsLimit } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../test/test-platform.ts'

const platform = sharedPlatform({ rateLimits: true })

async function download(path: string, encoding: string): Promise<{ response: IncomingMessage; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    get(platform().apiUrl + path, { headers: { 'accept-encoding': encoding } }, (response) => {
      buffer(response).then((bytes) => resolve({ response, bytes }), reject)
    }).on('error', reject)
  })
}

/** Asks, and hangs up when the answer begins. */
function statusOf(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(platform().apiUrl + path, { headers: { 'accept-encoding': 'br' } }, (response) => {
      response.destroy()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}

test('the script is sent compressed, and asked for once, until the address has no tokens left', async () => {
  const page = (await download('/docs', 'identity')).bytes.toString()
  const [, path = ''] = /<script src="([^"]+)"/.exec(page) ?? []
  expect(path).toMatch(/^\/docs\/reference-[0-9a-f]{16}\.js$/)
  const [brotli, gzipped, plain] = await Promise.all(['gzip, br', 'gzip', 'br;q=0'].map((each) => download(path, each)))
  expect(plain?.bytes.length).toBeGreaterThan(4_000_000)
  expect(brotli?.bytes.length).toBeLessThan(1_150_000)
  expect(gzipped?.bytes.length).toBeLessThan(1_400_000)
  expect(brotliDecompressSync(brotli?.bytes ?? '').equals(plain?.bytes ?? Buffer.of())).toBe(true)
  expect(gunzipSync(gzipped?.bytes ?? '').equals(plain?.bytes ?? Buffer.of())).toBe(true)
  expect(brotli?.response.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    vary: 'Accept-Encoding',
  })
  let statuses: (number | undefined)[] = []
  for (let asked = 0; asked <= docsLimit.burst; asked += 20) {
    statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(path)))
  }
  expect(statuses).toContain(429)
  expect((await download('/docs', 'br')).response.headers['retry-after']).toMatch(/^\d+$/)
})
