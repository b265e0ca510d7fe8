import { contract, type Payment } from '@tillwright/contract'
import { browserData } from './browser-data.ts'
import { newInstrument, requestPayment } from './pay-with-card.ts'
import type { TestPlatform } from './test-platform.ts'

/** A payment that waits for its buyer, and the token for the buyer's page. */
export interface WaitingPayment {
  payment: Payment
  actionToken: string
  sessionId: string
}

/** The page's parameters of an authentication; empty strings if the payment requires none. */
export function threedsActionOf({ nextAction }: Pick<Payment, 'nextAction'>): {
  actionToken: string
  sessionId: string
} {
  return nextAction?.type === 'threeds_auth' ? nextAction : { actionToken: '', sessionId: '' }
}

/** Flows made before, by the flow of the account that they are like. */
const flowIds = new Map<string, string>()

/** A flow of the account's processors that has buyers authenticated, the same each time: its id. */
async function threedsFlow({ call, local }: TestPlatform): Promise<string> {
  const known = flowIds.get(local.paymentFlowId)
  if (known !== undefined) return known
  const flows = await call(contract.paymentFlows.list, { query: {} })
  const { processorConfigs = [] } = flows.find(({ id }) => id === local.paymentFlowId) ?? {}
  const data = { name: '3-D Secure', strategy: 'cascade', threeDsEnabled: true, processorConfigs } as const
  const flow = await call(contract.paymentFlows.create, { body: { data } })
  flowIds.set(local.paymentFlowId, flow.id)
  return flow.id
}

/** A payment of 19.99 USD whose buyer has to authenticate, with a new card. `change` is of the payment's request. */
export async function newWaitingPayment(
  platform: TestPlatform,
  { number, ...change }: { number?: string } & Parameters<typeof requestPayment>[1] = {},
): Promise<WaitingPayment> {
  const { id: paymentInstrumentId } = await newInstrument(platform, number === undefined ? {} : { number })
  const paymentFlowId = await threedsFlow(platform)
  const answer = await requestPayment(platform, { paymentInstrumentId, paymentFlowId, ...change })
  const payment = contract.payments.create.response.parse(answer.body)
  const { actionToken, sessionId } = threedsActionOf(payment)
  return { payment, actionToken, sessionId }
}

/** Authenticates a waiting payment as the frame in the buyer's browser does. */
export async function authenticateWaiting(
  { call }: TestPlatform,
  { actionToken }: Pick<WaitingPayment, 'actionToken'>,
) {
  return call(contract.threedsFrame.authenticate, {
    body: { actionToken, browser: browserData, methodCompletion: 'U' },
  })
}

/** A payment whose buyer was authenticated without a challenge, and that has not been continued yet. */
export async function newAuthenticatedPayment(platform: TestPlatform, number?: string): Promise<WaitingPayment> {
  const waiting = await newWaitingPayment(platform, number === undefined ? {} : { number })
  await authenticateWaiting(platform, waiting)
  return waiting
}

/** The challenge card of the built-in issuer. */
export const CHALLENGE_CARD = '4000000000002503'

/**
 * A directory server's result (RReq) of a session's challenge, as JSON: the cardholder was authenticated, unless
 * `change` differs.
 */
export async function resultOf(
  { call, services }: TestPlatform,
  sessionId: string,
  change: { transStatus?: string | undefined; [name: string]: unknown } = {},
): Promise<string> {
  const session = await call(contract.threeds.get, { params: { sessionId } })
  const [row] = await services.db.read('SELECT outcome FROM threeds_sessions WHERE id = ?', [sessionId])
  const { dsTransactionId = null } = JSON.parse(String(row?.['outcome'] ?? '{}')) // which a shop is told at the end alone
  return JSON.stringify({
    messageType: 'RReq',
    messageVersion: '2.2.0',
    messageCategory: '01',
    threeDSServerTransID: session.externalSessionId,
    acsTransID: session.acsTransactionId,
    dsTransID: dsTransactionId,
    transStatus: 'Y',
    authenticationValue: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=',
    authenticationType: '02',
    interactionCounter: '01',
    ...(/[NUR]/.test(change.transStatus ?? 'Y') && { transStatusReason: '01' }),
    ...change,
  })
}

/** A payment whose buyer is being challenged. */
export async function newChallengedPayment(platform: TestPlatform): Promise<WaitingPayment> {
  return newAuthenticatedPayment(platform, CHALLENGE_CARD)
}
