import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { beginSession, type BuyersPage, filledPage, inNewStore, payPage } from '../../test/buyer-session.ts'
import { newFunnel } from '../../test/new-funnel.ts'
import { sharedPlatform, ruleEngines, type TestPlatform } from '../../test/test-platform.ts'

const THANKS = 'https://shop.example/thanks?from=till&orderId=forged#top'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const shopOf = (customThankYouUrl: string | null = THANKS) => inNewStore(platform(), { customThankYouUrl })
  const thankYouUrlOf = async ({ call }: BuyersPage) => (await call(contract.session.get, {})).thankYouUrl

  async function paidPage(shop: TestPlatform, token?: string): Promise<BuyersPage & { orderId: string }> {
    const page = await filledPage(shop, {
      token: token ?? (await beginSession(shop, { storeId: shop.local.storeId })).token,
    })
    const { orderId } = contract.session.pay.response.parse((await payPage(shop, page)).body)
    return { ...page, orderId }
  }

  test('a buyer who has paid is sent to the merchant’s page with the order, and not before', async () => {
    const shop = await shopOf()
    const { token } = await beginSession(shop, { storeId: shop.local.storeId })
    expect(await thankYouUrlOf(await filledPage(shop, { token }))).toBeNull()
    const page = await paidPage(shop, token)
    expect(await thankYouUrlOf(page)).toBe(`https://shop.example/thanks?from=till&orderId=${page.orderId}#top`)
  })

  test('with every order of the session, also while the next one is being put together or is declined', async () => {
    const shop = await shopOf('https://shop.example/thanks')
    const first = await paidPage(shop)
    const second = await paidPage(shop, first.token)
    const both = `https://shop.example/thanks?orderId=${first.orderId}&orderId=${second.orderId}`
    expect(await thankYouUrlOf(second)).toBe(both)
    const third = await filledPage(shop, { token: first.token })
    expect(third.session.thankYouUrl).toBe(both)
    expect((await payPage(shop, third, '4000000000000002')).status).toBe(402)
    expect(await thankYouUrlOf(third)).toBe(both)
  })

  test.for([null, ''])('a store whose page is %j keeps its buyers', async (customThankYouUrl) => {
    expect(await thankYouUrlOf(await paidPage(await shopOf(customThankYouUrl)))).toBeNull()
  })

  test('a production preview goes there as a buyer does, and a staging preview stays', async () => {
    const shop = await shopOf()
    const { id: funnelId, storeId, steps } = await newFunnel(shop)
    const previewed = async (environment: 'staging' | 'production') => {
      const body = { storeId, stepId: steps[0]?.id ?? '', environment }
      const { token } = await shop.call(contract.funnels.previewSession, { params: { funnelId }, body })
      return thankYouUrlOf(await paidPage(shop, token))
    }
    expect(await previewed('production')).toMatch(
      /^https:\/\/shop\.example\/thanks\?from=till&orderId=order_\w{22}#top$/,
    )
    expect(await previewed('staging')).toBeNull()
  })
})
