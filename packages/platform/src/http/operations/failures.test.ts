import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { visit } from '../../../test/plugins/visit.ts'
import { startTestPlatform, type TestPlatform, testableEngines } from '../../../test/test-platform.ts'

async function started(engine: 'sqlite' | 'postgres' = 'sqlite'): Promise<TestPlatform> {
  const platform = await startTestPlatform({ engine })
  onTestFinished(() => platform.remove())
  return platform
}

describe.each(testableEngines())('while the database is away on %s', (engine) => {
  test('the card form and the pages of plugins say so to buyers, and the log has a line each without a stack', async () => {
    const platform = await started(engine)
    const { url } = await deployPlugin(platform)
    await platform.services.db.close()
    const seen = platform.logged.length
    const query = new URLSearchParams({ key: platform.local.publishableKey, origin: 'http://127.0.0.1:9', id: 'a' })
    const form = await fetch(`${platform.vaultUrl}/v1/card?${query}`)
    expect([form.status, form.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await form.text()).toContain('Nothing was charged. Please try again.')
    // The shop's page must be able to show it, whichever that is.
    expect(form.headers.get('content-security-policy')).toContain('frame-ancestors *')
    const page = await visit(platform, { host: new URL(url).host, path: '/checkout' })
    expect([page.status, page.headers['retry-after']]).toEqual([503, '1'])
    expect(page.text).toContain('This page cannot be shown right now')
    const lines = platform.logged.slice(seen).map((line) => JSON.parse(line))
    const logged = lines.filter(({ msg }) => msg === 'the database is unavailable')
    expect(logged).toHaveLength(2)
    expect(logged.every(({ reason, err }) => typeof reason === 'string' && err === undefined)).toBe(true)
    // A worker says for itself that the database is away.
    expect(lines.filter(({ level, worker }) => level >= 50 && worker === undefined)).toEqual([])
  })
})

test('a file whose bytes are gone is an error in the log with its hash, and another page than one that never was', async () => {
  const platform = await started()
  const { url } = await deployPlugin(platform, {
    inlineAssets: [
      { path: 'index.html', content: '<!doctype html><title>Checkout</title>' },
      { path: 'shop.css', content: 'body { color: rebeccapurple }' },
    ],
  })
  const host = new URL(url).host
  const stylesheet = await visit(platform, { host, path: '/shop.css' })
  const sha256 = String(stylesheet.headers.etag).replaceAll('"', '')
  const folders = await readdir(join(platform.folder, 'blobs'))
  await Promise.all(folders.map((name) => rm(join(platform.folder, 'blobs', name), { recursive: true })))
  const [lost, page, never] = await Promise.all(
    ['/shop.css', '/checkout', '/never'].map((path) => visit(platform, { host, path })),
  )
  expect([lost?.status, page?.status, never?.status]).toEqual([500, 500, 404])
  expect(lost?.text).toContain('A file of this page is missing')
  const logged = platform.logged.map((line) => JSON.parse(line)).filter((line) => line.sha256 === sha256)
  expect(logged).toMatchObject([{ level: 50, hostname: new URL(url).hostname, target: '/shop.css' }])
  expect(logged[0].msg).toMatch(/Restore them from a backup .* or deploy the plugin again/)
})
