import { placeIdentity, placeMember, placePasskey } from './console-browser.ts'
import { newRefundRequest } from './pay-with-card.ts'
import type { HappyRequests } from './subscription-requests.ts'

let invited = 0

/** The requests of the operations on members, and of those that members call for themselves. */
export const memberRequests: HappyRequests = {
  'members.list': async () => ({}),
  'members.get': async (platform) => ({ params: { memberId: (await placeMember(platform)).memberId } }),
  'members.invite': async ({ local }) => ({
    body: { email: `Ada${(invited += 1)}@Example.com`, name: 'Ada', role: 'support', storeIds: [local.storeId] },
  }),
  'members.update': async (platform) => ({
    params: { memberId: (await placeMember(platform, { role: 'support' })).memberId },
    body: { name: 'Grace', role: 'operations', storeIds: [platform.local.storeId] },
  }),
  'members.remove': async (platform) => ({
    params: { memberId: (await placeMember(platform, { role: 'support' })).memberId },
  }),
  'members.listSessions': async (platform) => ({ params: { memberId: (await placeMember(platform)).memberId } }),
  'members.endSessions': async (platform) => ({ params: { memberId: (await placeMember(platform)).memberId } }),
  'refundLimits.get': async () => ({}),
  'refundLimits.set': async () => ({ body: { currency: 'JPY', amount: 50_000 } }),
  'refundRequests.list': async (platform) => ({ query: { paymentId: (await newRefundRequest(platform)).paymentId } }),
  'refundRequests.get': async (platform) => ({ params: { refundRequestId: (await newRefundRequest(platform)).id } }),
  'refundRequests.approve': async (platform) => ({
    params: { refundRequestId: (await newRefundRequest(platform)).id },
  }),
  'refundRequests.decline': async (platform) => ({
    params: { refundRequestId: (await newRefundRequest(platform)).id },
  }),
  'me.get': async () => ({}),
  'me.listSessions': async () => ({}),
  'me.endSession': async (platform) => {
    const { sessionId, token } = await placeMember(platform)
    return { params: { memberSessionId: sessionId }, token }
  },
  'me.signOut': async (platform) => ({ token: (await placeMember(platform)).token }),
  'me.signOutEverywhere': async (platform) => ({ token: (await placeMember(platform)).token }),
  'me.removePasskey': async (platform) => {
    const { memberId, token } = await placeMember(platform)
    const [passkeyId] = [await placePasskey(platform, memberId), await placePasskey(platform, memberId)]
    return { params: { passkeyId }, token }
  },
  'me.removeIdentity': async (platform) => {
    const { memberId, token } = await placeMember(platform)
    await placePasskey(platform, memberId)
    return { params: { memberIdentityId: await placeIdentity(platform, memberId) }, token }
  },
  'me.newRecoveryCodes': async (platform) => ({ token: (await placeMember(platform)).token }),
}
