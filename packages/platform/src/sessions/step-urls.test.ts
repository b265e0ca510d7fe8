import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { beginSession, buyersPage, type BuyersPage } from '../../test/buyer-session.ts'
import { newFunnel } from '../../test/new-funnel.ts'
import { deployPlugin } from '../../test/plugins/deploy-plugin.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'

const pages = [
  { id: 'start', path: '/', isDefault: true },
  { id: 'pay', path: '/kasse/über', features: [{ type: 'checkout' }] },
  { id: 'offer', path: '/offers/:offerId' },
]

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  type Shown = { type: string; pluginId: string | null; pageId: string | null }
  async function entered(shown: readonly Shown[]): Promise<BuyersPage> {
    const steps = shown.map((step, index) => ({ ...step, name: `Step ${index}`, path: `/step-${index}` }))
    const { id: funnelId } = await newFunnel(platform(), { steps })
    return buyersPage(platform(), (await beginSession(platform(), { funnelId })).token)
  }
  const urlsOf = async (page: BuyersPage) => {
    const { step, nextStep } = await page.call(contract.session.get, {})
    return [step?.url, nextStep?.url]
  }

  test('a session tells where its step and the next one are served', async () => {
    const { pluginId, url } = await deployPlugin(platform(), { manifest: { pages } })
    const page = await entered([
      { type: 'landing', pluginId, pageId: 'start' },
      { type: 'checkout', pluginId, pageId: null },
      { type: 'offer', pluginId, pageId: 'offer' },
    ])
    expect(await urlsOf(page)).toEqual([`${url}/`, `${url}/kasse/%C3%BCber`])
    const { nextStep } = await page.call(contract.session.next, { body: { stepId: page.session.step?.id ?? '' } })
    // The offer is not determined yet.
    expect(nextStep?.url).toBeNull()
  })

  test('a step without a plugin, or whose page is gone, is served nowhere', async () => {
    const { pluginId } = await deployPlugin(platform(), { manifest: { pages } })
    const page = await entered([
      { type: 'landing', pluginId: null, pageId: null },
      { type: 'custom', pluginId, pageId: 'former' },
    ])
    expect(await urlsOf(page)).toEqual([null, null])
  })

  test('a domain stands before the host of what is active, and one that follows before one that stays', async () => {
    const { local, clock, call } = platform()
    const first = await deployPlugin(platform(), { manifest: { pages } })
    const { pluginId } = first
    const page = await entered([{ type: 'landing', pluginId, pageId: 'start' }])
    const second = await deployPlugin(platform(), { manifest: { pluginId, version: '2.0.0', pages } })
    expect(await urlsOf(page)).toEqual([`${second.url}/`, undefined])
    const promote = (body: object) => call(contract.plugins.promoteToCustomDomain, { body })
    const [stays, follows] = [`stays.${engine}.example.com`, `follows.${engine}.example.com`]
    const { port } = new URL(first.url)
    await promote({ deploymentId: first.id, customDomain: stays, basePath: '/shop' })
    expect(await urlsOf(page)).toEqual([`http://${stays}:${port}/shop/`, undefined])
    clock.advance(1)
    await promote({ pluginId, storeId: local.storeId, hostname: follows, path: '/' })
    expect(await urlsOf(page)).toEqual([`http://${follows}:${port}/`, undefined])
  })
})
