import { hash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sharedPlatform, ruleEngines } from '../../../test/test-platform.ts'

const { uploadAssets } = contract.plugins

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const asset = (content: string) => ({
    sha256: hash('sha256', content),
    size: Buffer.byteLength(content),
    content: Buffer.from(content).toString('base64'),
  })

  test('what is stored is answered in the order of the request, also when it was there before', async () => {
    const [a, b] = [asset('a'), asset('b')]
    const stored = [a, b, a].map(({ sha256, size }) => ({ sha256, size }))
    for (let times = 0; times < 2; times++) {
      expect(await platform().call(uploadAssets, { body: { assets: [a, b, a] } })).toEqual({ stored })
    }
    const rows = await platform().services.db.read('SELECT size FROM plugin_assets WHERE sha256 = ?', [a.sha256])
    expect(rows).toEqual([{ size: 1 }])
  })

  test.for<[string, object, string]>([
    ['another hash', { sha256: hash('sha256', 'other') }, 'sha256'],
    ['another size', { size: 2 }, 'content'],
    ['no base64', { content: 'a' }, 'content'],
    ['a hash that is none', { sha256: 'x' }, 'sha256'],
    ['a negative size', { size: -1 }, 'size'],
    ['a size over 25 MiB', { size: 25 * 1024 * 1024 + 1 }, 'size'],
  ])('an asset with %s is refused by its place, and none is stored', async ([, change, field]) => {
    const good = asset(`good before ${field} and ${JSON.stringify(change)}`)
    const body = { assets: [good, { ...asset('bad'), ...change }] }
    const answer = await platform().request('POST', uploadAssets.path, { body })
    expect([answer.status, answer.error.param]).toEqual([400, `assets[1].${field}`])
    expect(await platform().services.db.read('SELECT * FROM plugin_assets WHERE sha256 = ?', [good.sha256])).toEqual([])
  })

  test('where files cannot be written the service is unavailable, and nothing counts as stored', async () => {
    const { folder, request, services } = platform()
    const lost = asset('cannot be written')
    const place = join(folder, 'blobs', lost.sha256.slice(0, 2))
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, 'in the way')
    const answer = await request('POST', uploadAssets.path, { body: { assets: [lost] } })
    expect([answer.status, answer.error.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    expect(await services.db.read('SELECT * FROM plugin_assets WHERE sha256 = ?', [lost.sha256])).toEqual([])
    await rm(place)
    expect((await request('POST', uploadAssets.path, { body: { assets: [lost] } })).status).toBe(200)
  })

  test('something has to be sent', async () => {
    const answer = await platform().request('POST', uploadAssets.path, { body: { assets: [] } })
    expect([answer.status, answer.error.param]).toEqual([400, 'assets'])
  })
})
