import { newApiKey } from '../src/accounts/api-keys.ts'
import type { NewApiKey } from '../src/accounts/api-keys.ts'
import { commit } from '../src/http/operations/commit.ts'
import type { HappyRequests } from './subscription-requests.ts'
import type { TestPlatform } from './test-platform.ts'

/** Puts a key into the local account: its id, and the key. */
export async function placeKey(
  { services, local }: TestPlatform,
  key: Partial<NewApiKey> = {},
): Promise<{ keyId: string; text: string }> {
  const { id, text, write } = newApiKey({ accountId: local.accountId, kind: 'secret', ...key }, services)
  await commit([write], services)
  return { keyId: id, text }
}

/** The requests of the operations on API keys. */
export const keyRequests: HappyRequests = {
  'apiKeys.list': async () => ({ query: { limit: '1', kind: 'secret' } }),
  'apiKeys.get': async (platform) => ({ params: { keyId: (await placeKey(platform)).keyId } }),
  'apiKeys.create': async ({ local }) => ({
    body: {
      kind: 'publishable',
      name: 'Shop',
      storeId: local.storeId,
      allowedOrigins: ['https://shop.example'],
      expiresAt: '2099-01-31T00:00:00+01:00',
    },
  }),
  'apiKeys.roll': async (platform) => ({
    params: { keyId: (await placeKey(platform, { scopes: ['payments:write'] })).keyId },
    body: { overlapHours: 2, expiresAt: '2099-01-31T00:00:00+01:00' },
  }),
  'apiKeys.revoke': async (platform) => ({ params: { keyId: (await placeKey(platform)).keyId } }),
}
