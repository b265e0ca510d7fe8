import { contract, type HookKind, hookQuestion, type HookQuestion } from '@tillwright/contract'
import { Webhook } from 'standardwebhooks'
import { type Received, type Receiver, startReceiver } from './events/start-receiver.ts'
import type { TestPlatform } from './test-platform.ts'

/** A merchant's answer to a question: JSON with 200, or any answer of a receiver. */
export type MerchantAnswer = { json: unknown } | Awaited<ReturnType<NonNullable<Parameters<typeof startReceiver>[0]>>>

/** A merchant's server that was asked something. */
export interface MerchantServer extends Receiver {
  /** The questions so far, verified with the secret of the hook. */
  questions: HookQuestion[]
}

/** The hooks that a server is asked as. Of the local store, with `refuse`, within two seconds, unless it says otherwise. */
interface HookSettings {
  kinds: readonly HookKind[]
  onFailure?: 'continue' | 'refuse'
  timeoutMs?: number
  storeId?: string
}

/** Starts a merchant's server and has it asked. */
export async function startMerchant(
  platform: TestPlatform,
  settings: HookSettings,
  answer: (question: HookQuestion, count: number) => MerchantAnswer | Promise<MerchantAnswer>,
): Promise<MerchantServer> {
  const { kinds, storeId = platform.local.storeId, onFailure = 'refuse', timeoutMs = 2_000 } = settings
  const questions: HookQuestion[] = []
  const secrets: string[] = []
  const receiver = await startReceiver(async (received) => {
    if (!isSigned(received, secrets)) return { status: 401 }
    const question = hookQuestion.parse(JSON.parse(received.body))
    const reply = await answer(question, questions.push(question))
    return typeof reply === 'object' && 'json' in reply ? { status: 200, body: JSON.stringify(reply.json) } : reply
  })
  for (const kind of kinds) {
    const body = { url: `${receiver.url}/hooks/${kind}`, onFailure, timeoutMs }
    await removeHook(platform, kind, storeId)
    const { secret } = await platform.call(
      contract.hooks.set,
      { params: { storeId, kind }, body },
      platform.local.adminApiKey,
    )
    secrets.push(secret ?? '')
  }
  return { ...receiver, questions }
}

/** Removes a hook, if there is one. */
export async function removeHook(
  { request, local }: TestPlatform,
  kind: HookKind,
  storeId = local.storeId,
): Promise<void> {
  await request('POST', `/api/payments/v1/stores/${storeId}/hooks/${kind}/remove`, { key: local.adminApiKey })
}

/** Whether one of the secrets has signed it. The platform's clock stands still, so its age is not looked at. */
function isSigned({ body, headers }: Received, secrets: readonly string[]): boolean {
  const id = String(headers['webhook-id'])
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const signatures = String(headers['webhook-signature']).split(' ')
  return secrets.some((secret) => signatures.includes(new Webhook(secret).sign(id, sentAt, body)))
}
