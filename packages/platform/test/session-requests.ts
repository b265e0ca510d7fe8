import { contract } from '@tillwright/contract'
import { authenticatedPage, buyersPage, codeOf, filledPage, payPage, takenOver } from './buyer-session.ts'
import { newCode, newPromotion } from './new-promotion.ts'
import { serviceToken } from './pay-with-card.ts'
import type { HappyRequests } from './subscription-requests.ts'
import type { TestPlatform } from './test-platform.ts'

/** A request that each operation of a buyer's page answers with success. */
export const sessionRequests: HappyRequests = {
  'session.begin': async ({ local }) => ({ body: { funnelId: local.funnelId } }),
  'session.get': async (platform) => ({ token: (await filledPage(platform)).token }),
  'session.handOver': async (platform) => ({ token: (await buyersPage(platform)).token }),
  'session.redeem': async (platform) => ({ body: { code: await codeOf(await filledPage(platform)) } }),
  'session.confirmOrder': async (platform) => {
    const { token, session } = await takenOver(platform, await codeOf(await filledPage(platform)))
    return { token, body: { confirmation: session.broughtAlong?.confirmation } }
  },
  'session.setLines': async (platform) => ({
    token: (await buyersPage(platform)).token,
    body: { currency: 'USD', lines: [{ variantId: await firstVariant(platform), quantity: 3 }] },
  }),
  'session.chooseShipping': async (platform) => {
    const { token, session } = await filledPage(platform)
    return { token, body: { shippingOptionId: session.order.shipping?.options[1]?.id } }
  },
  'session.addPromotionCode': async (platform) => {
    const code = newCode()
    await newPromotion(platform, { code })
    return { token: (await filledPage(platform)).token, body: { code } }
  },
  'session.removePromotionCode': async (platform) => {
    const code = newCode()
    await newPromotion(platform, { code })
    const page = await filledPage(platform)
    await page.call(contract.session.addPromotionCode, { body: { code } })
    return { token: page.token, query: { code } }
  },
  'session.setContact': async (platform) => ({
    token: (await buyersPage(platform)).token,
    body: { email: 'grace@example.com', firstName: 'Grace', lastName: 'Ng', phone: '+353 1 555 0101' },
  }),
  'session.setAddress': async (platform) => ({
    token: (await buyersPage(platform)).token,
    body: { billingAddress: null, shippingAddress: { line1: '12 Weaver Street', city: 'Dublin', country: 'IE' } },
  }),
  'session.findMethods': async ({ local }) => ({
    body: { storeId: local.storeId, currency: 'EUR', amount: 4_098, country: 'NL' },
  }),
  'session.findOwnMethods': async (platform) => ({ token: (await filledPage(platform)).token }),
  'session.pay': async (platform) => {
    const page = await filledPage(platform)
    const body = { serviceToken: await serviceToken(platform), expectedAmount: page.session.order.amount }
    return { token: page.token, body }
  },
  'session.continuePayment': async (platform) => {
    const { token, paymentId } = await authenticatedPage(platform)
    return { token, params: { paymentId } }
  },
  'session.next': async (platform) => {
    const page = await filledPage(platform)
    await payPage(platform, page)
    return { token: page.token, body: { stepId: page.session.step?.id } }
  },
  'session.goTo': async (platform) => {
    const page = await filledPage(platform)
    await payPage(platform, page)
    const stepId = page.session.step?.id
    await page.call(contract.session.next, { body: { stepId: stepId ?? '' } })
    return { token: page.token, body: { stepId } }
  },
  'session.track': async (platform) => ({
    token: (await buyersPage(platform)).token,
    body: { name: 'video_played', properties: { seconds: 42 } },
  }),
}

/** A variant that the local store sells. */
export async function firstVariant({ call, local }: TestPlatform): Promise<string | undefined> {
  const product = await call(contract.products.get, { params: { productId: local.productId } })
  return product.variants[0]?.id
}
