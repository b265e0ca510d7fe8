import { hash } from 'node:crypto'
import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { harmless, openAttacker } from '../faults/tenant-attacks.ts'
import { startWatched, STALL_MS } from '../faults/watched-platform.ts'
import { startTestPlatform } from '../test/test-platform.ts'
import { visit } from '../test/plugins/visit.ts'

// A tenant with an account's secret key deploys a document that takes long to read, and visits it, or has others visit it:
// the place for the page's data is looked for at every visit.

test('a page with thousands of scripts, in each of which the head seems to end, is served at once', async () => {
  const { local, watch, stop } = await startWatched()
  const { deploy, storeId } = await openAttacker(local)
  const content = `<!doctype html><title>Shop</title>${'<script></head></script>'.repeat(8_000)}`
  const deployed = await deploy({ ...harmless(storeId), inlineAssets: [{ path: 'checkout.html', content }] })
  const { url } = contract.plugins.deploy.response.parse(deployed.body)
  const { result } = await watch(() => visit(local, { host: new URL(url ?? '').host, path: '/checkout' }))
  expect(result.status).toBe(200)
  expect((await stop()).longestMs).toBeLessThan(STALL_MS)
})

test('a document that is larger than what can be read at once is refused when it is deployed, named by its hash too', async () => {
  const platform = await startTestPlatform()
  onTestFinished(() => platform.remove())
  const deploy = (asset: object) =>
    platform.request('POST', contract.plugins.deploy.path, {
      body: { ...harmless(platform.local.storeId), inlineAssets: [asset] },
    })
  const size = 2 * 1_024 * 1_024 + 1
  const content = `<!doctype html>${' '.repeat(size - 15)}`
  const refused = await deploy({ path: 'index.html', content })
  expect([refused.status, refused.error.code, refused.error.param]).toEqual([
    400,
    'parameter_invalid',
    'inlineAssets[0]',
  ])
  expect(refused.error.message).toContain('files of their own')
  const named = await deploy({ path: 'index.html', sha256: hash('sha256', content), size })
  expect(named.error.message).toBe(refused.error.message)
  expect((await deploy({ path: 'index.html', content: content.slice(0, -1) })).status).toBe(
    contract.plugins.deploy.status,
  )
})
