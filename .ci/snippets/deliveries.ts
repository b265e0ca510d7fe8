import { onTestFinished } from 'vitest'
import { contract, hookKind } from '../../packages/contract/src/index.ts'
import { type Received, startReceiver } from '../../packages/platform/test/events/start-receiver.ts'
import { newInstrument, pay } from '../../packages/platform/test/pay-with-card.ts'
import type { TestPlatform } from '../../packages/platform/test/test-platform.ts'

/** A webhook that the platform has sent, and the secret that it is signed with. */
export interface Delivered {
  body: string
  headers: Headers
  secret: string
}

/** Has an order paid, and waits for its webhook. */
export async function deliveredWebhook(platform: TestPlatform): Promise<Delivered> {
  const receiver = await startReceiver()
  const body = { url: receiver.url, eventTypes: ['s_order_paid' as const] }
  const { secret } = await platform.call(contract.webhookEndpoints.create, { body })
  await pay(platform, (await newInstrument(platform)).id)
  const [webhook] = await receiver.until(1)
  if (webhook === undefined) throw new Error('No webhook has come.')
  return { body: webhook.body, headers: plain(webhook.headers), secret }
}

/** A function of a snippet that answers a request. Snippets' types are checked. */
export type Handler = (request: Request) => Promise<Response>

/** A hook of each kind, whose server answers with a handler once there is one. */
export interface HookServer {
  /** The secrets of the hooks, with commas between them. */
  secrets: string
  /** The kinds of question so far. */
  asked: ReadonlySet<string>
  answerWith: (handler: Handler) => void
}

/** Sets a hook of each kind for the local store, until the test is over. */
export async function startHookServer(platform: TestPlatform): Promise<HookServer> {
  const asked = new Set<string>()
  let handler: Handler = async () => new Response(null, { status: 503 })
  const receiver = await startReceiver(async ({ path, body, headers }) => {
    asked.add(path.slice(1))
    const answer = await handler(
      new Request('http://shop.example/hooks', { method: 'POST', body, headers: plain(headers) }),
    )
    return { status: answer.status, body: await answer.text() }
  })
  const { storeId, adminApiKey } = platform.local
  const secrets: string[] = []
  for (const kind of hookKind.options) {
    const sent = { params: { storeId, kind }, body: { url: `${receiver.url}/${kind}`, onFailure: 'refuse' as const } }
    secrets.push((await platform.call(contract.hooks.set, sent, adminApiKey)).secret ?? '')
    onTestFinished(
      async () => void (await platform.call(contract.hooks.remove, { params: { storeId, kind } }, adminApiKey)),
    )
  }
  return { secrets: secrets.join(), asked, answerWith: (answer) => (handler = answer) }
}

function plain(headers: Received['headers']): Headers {
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
}
