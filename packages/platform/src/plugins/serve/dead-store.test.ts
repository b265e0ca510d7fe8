import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import S3rver from 's3rver'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { visit } from '../../../test/plugins/visit.ts'
import { sharedPlatform, startTestPlatform } from '../../../test/test-platform.ts'

const PAGE = '<!doctype html><title>Shop</title>'
const SCRIPT = 'console.log("pay")\n'.repeat(40)
const inlineAssets = [
  { path: 'index.html', content: PAGE },
  { path: 'app-QK2WMH3F.js', content: SCRIPT },
]

const platform = sharedPlatform()

test('a file whose bytes are damaged is not served, and the page says that it cannot be shown', async () => {
  const { url } = await deployPlugin(platform(), { inlineAssets })
  const host = new URL(url).host
  for (const content of [PAGE, SCRIPT]) {
    const sha256 = hash('sha256', content)
    await writeFile(join(platform().folder, 'blobs', sha256.slice(0, 2), sha256.slice(2)), 'damaged')
  }
  for (const [path, headers] of [
    ['/'],
    ['/app-QK2WMH3F.js'],
    ['/app-QK2WMH3F.js', { 'Accept-Encoding': 'br' }],
  ] as const) {
    const answer = await visit(platform(), { host, path, ...(headers && { headers }) })
    expect([answer.status, answer.headers['retry-after'], answer.headers['cache-control']]).toEqual([
      503,
      '1',
      'no-store',
    ])
    expect(answer.text).toContain('cannot be shown right now')
  }
})

test('pages are kept in and served from an S3 store, and are a clear 503 while that is dead', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER')
  const directory = await mkdtemp(join(tmpdir(), 'tillwright-s3-'))
  const configureBuckets = [{ name: 'files', configs: [] }]
  const store = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets })
  const { port } = await store.run()
  const remote = await startTestPlatform({ blobsUrl: `s3://files/live?endpoint=http://127.0.0.1:${port}` })
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await remote.remove()
    await rm(directory, { recursive: true })
  })
  const { url } = await deployPlugin(remote, { inlineAssets })
  const host = new URL(url).host
  expect((await visit(remote, { host })).text).toContain('Shop')
  const script = await visit(remote, { host, path: '/app-QK2WMH3F.js', headers: { Range: 'bytes=0-6' } })
  expect([script.status, script.text]).toEqual([206, 'console'])
  await store.close()
  const dead = await visit(remote, { host })
  expect([dead.status, dead.headers['retry-after']]).toEqual([503, '1'])
  const content = Buffer.from('new')
  const assets = [{ sha256: hash('sha256', content), size: 3, content: content.toString('base64') }]
  const refused = await remote.request('POST', contract.plugins.uploadAssets.path, { body: { assets } })
  expect([refused.status, refused.error.code]).toEqual([503, 'unavailable'])
})
