import { hash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ASSET_MAX_BYTES, contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { deployBody } from '../../../test/plugins/deploy-plugin.ts'
import { visit } from '../../../test/plugins/visit.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const newBlob = (bytes = 1_000) => {
  const content = randomBytes(bytes)
  return { content, sha256: hash('sha256', content) }
}
const place = (sha256: string) => `/api/plugins/v1/assets/${sha256}`

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const put = (sha256: string, body: Uint8Array, more: object = {}) =>
    platform().request('PUT', place(sha256), { body, headers: { 'Content-Type': 'application/octet-stream' }, ...more })
  const stored = async () => {
    const names = await readdir(join(platform().folder, 'blobs'), { recursive: true })
    return names.filter((name) => name.length > 2)
  }

  test('what a deployment lacks is sent file by file, then the same deployment stands and is served', async () => {
    const { request: send, call, local } = platform()
    const blobs = [newBlob(200_000), newBlob(1), newBlob(0)]
    const body = deployBody(local.storeId, {
      inlineAssets: [
        { path: 'index.html', content: 'page' },
        ...blobs.map(({ sha256, content }, n) => ({ path: `assets/${n}.bin`, sha256, size: content.length })),
      ],
    })
    const first = await call(contract.plugins.deploy, { body })
    expect([first.success, first.missing]).toEqual([false, blobs.map(({ sha256 }) => sha256)])
    for (const { sha256, content } of [...blobs, ...blobs]) {
      const answer = await put(sha256, content)
      expect([answer.status, answer.body]).toEqual([200, { sha256, size: content.length }])
      expect(answer.headers['x-request-id']).toMatch(/^req_/)
    }
    const again = await send('POST', contract.plugins.deploy.path, { body })
    const { url, missing } = contract.plugins.deploy.response.parse(again.body)
    expect(missing).toEqual([])
    const served = await visit(platform(), { host: new URL(url ?? '').host, path: '/assets/0.bin' })
    expect(Buffer.compare(served.bytes, blobs[0]?.content ?? Buffer.alloc(0))).toBe(0)
  })

  it('the same file twice at once is one', async () => {
    const { sha256, content } = newBlob(300_000)
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(sha256, content)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await stored()).filter((name) => name.replace('/', '') === sha256)).toHaveLength(1)
  })

  test('a file that is broken off leaves nothing behind, and can be sent again', async () => {
    const { sha256, content } = newBlob(500_000)
    const before = await stored()
    const sent = request(platform().apiUrl + place(sha256), {
      method: 'PUT',
      headers: { Authorization: `Bearer ${platform().local.apiKey}`, 'Content-Length': content.length },
    })
    sent.on('error', () => {})
    await new Promise((resolve) => sent.write(content.subarray(0, 100_000), resolve))
    await expect.poll(async () => (await stored()).length).toBe(before.length + 1)
    sent.destroy()
    await expect.poll(stored).toEqual(before)
    expect((await put(sha256, content)).status).toBe(200)
  })

  test('another content than the address says is refused, and nothing is kept of it', async () => {
    const { sha256 } = newBlob()
    const before = await stored()
    const answer = await put(sha256, newBlob().content)
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'parameter_invalid', 'sha256'])
    expect(await stored()).toEqual(before)
  })

  test.for(['x', 'A'.repeat(64), '..%2f..%2fetc%2fpasswd', 'a'.repeat(65)])(
    '%s is no place for a file',
    async (name) => {
      const answer = await put(name, Buffer.from('x'))
      expect([answer.status, answer.error.param]).toEqual([400, 'sha256'])
    },
  )

  test('more than 25 MiB are refused as soon as that is certain', async () => {
    const { sha256 } = newBlob()
    const announced = await put(sha256, Buffer.alloc(0), { headers: { 'Content-Length': ASSET_MAX_BYTES + 1 } })
    expect([announced.status, announced.error.code]).toEqual([413, 'body_too_large'])
  })

  test('a compressed body is refused before it is read, whatever it stands for', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' }
    for (const answer of [
      await put(hash('sha256', bomb), bomb, { headers }),
      await platform().request('POST', contract.plugins.deploy.path, { body: bomb, headers }),
    ]) {
      expect([answer.status, answer.error.code]).toEqual([415, 'content_type_unsupported'])
    }
  })

  test('files of others are not there, and sending one needs a key that may', async () => {
    const { addAccount, addKey, request: send, local } = platform()
    const { sha256, content } = newBlob()
    const { apiKey } = await addAccount()
    expect((await put(sha256, content, { key: apiKey })).status).toBe(200)
    const inlineAssets = [{ path: 'index.html', sha256, size: content.length }]
    const own = await send('POST', contract.plugins.deploy.path, { body: deployBody(local.storeId, { inlineAssets }) })
    expect(own.body).toMatchObject({ success: false, missing: [sha256] })
    const reader = await addKey({ scopes: ['plugins:read'] })
    expect((await put(sha256, content, { key: reader })).status).toBe(403)
    expect((await put(sha256, content, { key: '' })).status).toBe(401)
    expect((await put(sha256, content, { key: local.publishableKey })).status).toBe(401)
  })
})
