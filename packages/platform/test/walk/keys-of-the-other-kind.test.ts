import { beforeAll, expect, test } from 'vitest'
import { addressOf } from '../address-of.ts'
import { happyRequests } from '../happy-requests.ts'
import { sharedPlatform } from '../test-platform.ts'
import { expectRefusal } from './expect-refusal.ts'
import { operations } from './operations.ts'
import { withoutWebhooks } from './table-digests.ts'

const platform = sharedPlatform()

// Nothing listens to the endpoint of the local account, and each event would be tried in vain.
beforeAll(() => withoutWebhooks(platform().services.db))

test.for(operations)(
  '$id refuses a key of the other kind, and the origin of the other kind knows it not',
  async ({ id, operation }) => {
    const { local, request, vaultRequest, pageRequest } = platform()
    const sent = (await happyRequests[id]?.(platform())) ?? {}
    const { method, path } = addressOf(operation, sent)
    const isPages = operation.audience === 'page'
    const isFrames = operation.audience === 'frame'
    const [own, other] = isFrames ? [vaultRequest, request] : [isPages ? pageRequest : request, vaultRequest]
    const key = isFrames || isPages ? local.adminApiKey : local.publishableKey
    const body = 'body' in sent ? { body: sent.body } : {}
    const refused = await own(method, path, { key, ...body })
    expectRefusal(operation, refused)
    const codes = { session: 'session_token_invalid', console: 'sign_in_required' } as const
    const code = Object.entries(codes).find(([audience]) => audience === operation.audience)?.[1] ?? 'api_key_invalid'
    expect([refused.status, refused.error.code]).toEqual([401, code])
    expect((await other(method, path, { key, ...body })).status).toBe(404)
  },
)
