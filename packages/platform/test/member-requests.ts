import { placeMember, placePasskey } from './console-browser.ts'
import type { HappyRequests } from './subscription-requests.ts'

let invited = 0

/** Those of members and of what they do for themselves. */
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
  'me.newRecoveryCodes': async (platform) => ({ token: (await placeMember(platform)).token }),
}
