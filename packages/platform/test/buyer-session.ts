import {
  type BuyerSession,
  type CallOf,
  contract,
  type NewStore,
  type Operation,
  type ResponseOf,
} from '@tillwright/contract'
import { serviceToken } from './pay-with-card.ts'
import type { Answer, SentRequest } from './send-request.ts'
import { SHOP_URL, type TestPlatform } from './test-platform.ts'
import { authenticateWaiting, threedsActionOf } from './threeds-payment.ts'

type BegunSession = ResponseOf<typeof contract.session.begin>

/** Begins a session as the shop's page does: in the local funnel, unless `body` says otherwise. */
export function beginSession(
  { call, local }: TestPlatform,
  body: CallOf<typeof contract.session.begin>['body'] = { funnelId: local.funnelId },
): Promise<BegunSession> {
  return call(contract.session.begin, { body })
}

/** A page in a session: what it calls must succeed, what it sends may be refused. */
export interface BuyersPage {
  token: string
  session: BuyerSession
  call: <Op extends Operation>(operation: Op, sent: CallOf<Op>) => Promise<ResponseOf<Op>>
  send: (method: string, path: string, sent?: SentRequest) => Promise<Answer>
}

/** The page of a session that is begun for it, unless its token is given. */
export async function buyersPage(platform: TestPlatform, token?: string): Promise<BuyersPage> {
  const held = token ?? (await beginSession(platform)).token
  const call: BuyersPage['call'] = (operation, sent) => platform.call(operation, sent, held)
  const send: BuyersPage['send'] = (method, path, sent) =>
    platform.pageRequest(method, `/api/session/v1/session${path}`, { key: held, ...sent })
  return { token: held, session: await call(contract.session.get, {}), call, send }
}

/** The same with an order of `quantity` units of the demo shop's first product, two unless given. */
export async function filledPage(
  platform: TestPlatform,
  { token, quantity = 2 }: { token?: string; quantity?: number } = {},
): Promise<BuyersPage> {
  const page = await buyersPage(platform, token)
  const product = await platform.call(contract.products.get, { params: { productId: platform.local.productId } })
  const variantId = product.variants[0]?.id ?? ''
  const session = await page.call(contract.session.setLines, { body: { lines: [{ variantId, quantity }] } })
  return { ...page, session }
}

/** Asks for the payment of a page's order with a card that is typed. */
export async function payPage(platform: TestPlatform, page: BuyersPage, number?: string): Promise<Answer> {
  const body = { serviceToken: await serviceToken(platform, number), expectedAmount: page.session.order.amount }
  return page.send('POST', '/pay', { body })
}

/** A payment that waits for its buyer, whose issuer wants to know who pays; with the token of its session. */
export async function authenticatedPage(platform: TestPlatform): Promise<{ token: string; paymentId: string }> {
  const page = await filledPage(platform)
  const answer = await payPage(platform, page, '4000002500003155')
  const payment = contract.session.pay.response.parse(answer.body)
  await authenticateWaiting(platform, { actionToken: threedsActionOf(payment).actionToken })
  return { token: page.token, paymentId: payment.id }
}

/** A code that hands a page's session over. */
export async function codeOf({ call }: Pick<BuyersPage, 'call'>): Promise<string> {
  return (await call(contract.session.handOver, {})).code
}

/** The page that has redeemed a code, with the publishable key of the local store. */
export async function takenOver(platform: TestPlatform, code: string): Promise<BuyersPage> {
  const { token } = await platform.call(contract.session.redeem, { body: { code } })
  return buyersPage(platform, token)
}

/** The same platform seen from another store of the account, with its own products, shipping and publishable key. */
export async function inNewStore(platform: TestPlatform, change: Partial<NewStore> = {}): Promise<TestPlatform> {
  const { paymentFlowId: selectedPaymentFlowId } = platform.local
  const body = { name: 'Store', baseCurrency: 'USD', createDemoProducts: true, selectedPaymentFlowId, ...change }
  const { id: storeId } = await platform.call(contract.stores.create, { body })
  const sql = 'SELECT id FROM products WHERE store_id = ? ORDER BY id'
  const [product] = await platform.services.db.read(sql, [storeId])
  const key = await platform.addKey({ kind: 'publishable', storeId, allowedOrigins: [SHOP_URL] })
  const isOfBrowser = ({ audience }: Operation) => audience === 'page' || audience === 'frame'
  return {
    ...platform,
    local: { ...platform.local, storeId, productId: String(product?.['id']), publishableKey: key },
    vaultRequest: (method, path, sent) => platform.vaultRequest(method, path, { key, ...sent }),
    pageRequest: (method, path, sent) => platform.pageRequest(method, path, { key, ...sent }),
    call: (operation, sent, given) =>
      platform.call(operation, sent, given ?? (isOfBrowser(operation) ? key : undefined)),
  }
}
