import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { harmless, openAttacker } from '../faults/tenant-attacks.ts'
import { startWatched, STALL_MS } from '../faults/watched-platform.ts'
import { visit } from '../test/plugins/visit.ts'

// A tenant with an account's secret key deploys a document in whose scripts the head seems to end again and again, and
// visits it, or has others visit it: the place for the page's data is looked for at every visit.

test('a page with thousands of scripts, in each of which the head seems to end, is served at once', async () => {
  const { local, watch, stop } = await startWatched()
  const { deploy, storeId } = await openAttacker(local)
  const content = `<!doctype html><title>Shop</title>${'<script></head></script>'.repeat(8_000)}`
  const deployed = await deploy({ ...harmless(storeId), inlineAssets: [{ path: 'checkout.html', content }] })
  const { url } = contract.plugins.deploy.response.parse(deployed.body)
  const { result } = await watch(() => visit(local, { host: new URL(url).host, path: '/checkout' }))
  expect(result.status).toBe(200)
  expect((await stop()).longestMs).toBeLessThan(STALL_MS)
})
