import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Audience } from '@tillwright/contract'
import { seedLocalAccount } from '../src/local/seed.ts'
import { SHOP_URL, type TestPlatform } from './test-platform.ts'

/** Audiences whose operations take a publishable key. */
const browserAudiences: readonly Audience[] = ['frame', 'page']

/**
 * Another account on the same platform, as complete as the local one: keys, processors, a payment flow, a store, products.
 *
 * @returns The platform as that account meets it: `local` holds its ids and keys, and requests are sent with its keys.
 */
export async function secondAccount(platform: TestPlatform): Promise<TestPlatform> {
  const folder = join(platform.folder, 'second-account')
  await mkdir(folder, { recursive: true })
  const seed = await seedLocalAccount(platform.services, { folder, shopUrl: SHOP_URL })
  const local = { ...platform.local, ...seed }
  return {
    ...platform,
    local,
    request: (method, path, sent) => platform.request(method, path, { key: local.apiKey, ...sent }),
    vaultRequest: (method, path, sent) => platform.vaultRequest(method, path, { key: local.publishableKey, ...sent }),
    pageRequest: (method, path, sent) => platform.pageRequest(method, path, { key: local.publishableKey, ...sent }),
    call: (operation, sent, key) =>
      platform.call(
        operation,
        sent,
        key ?? (browserAudiences.includes(operation.audience) ? local.publishableKey : local.adminApiKey),
      ),
    addKey: (key) => platform.addKey({ accountId: local.accountId, ...key }),
  }
}
