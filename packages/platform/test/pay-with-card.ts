import {
  contract,
  type Dispute,
  type NewPayment,
  type Payment,
  type PaymentInstrument,
  type Refund,
} from '@tillwright/contract'
import { newId, systemRandomness } from '../src/runtime/randomness.ts'
import { frameSession } from './frame-session.ts'
import type { Answer, SentRequest } from './send-request.ts'
import { SHOP_URL, type TestPlatform } from './test-platform.ts'
import { encryptCard } from './vault/encrypt-card.ts'
import { encrypt } from './vault/encrypt.ts'
import { newestJwk } from './vault/newest-jwk.ts'

let messages = 0

/** Buyer's input in the form. */
interface TypedCard {
  number?: string
  cvc?: string
  name?: string
  network?: string
}

/** Encrypts a card as the frame in the shop's page does. */
export function encryptedCard(platform: TestPlatform, number = '4242424242424242'): Promise<string> {
  return encryptedForm(platform, { number })
}

/** The same for whatever else was typed into the form. */
export async function encryptedForm(platform: TestPlatform, typed: TypedCard): Promise<string> {
  const { services, clock, local } = platform
  messages += 1
  const jti = String(messages).padStart(22, 'A')
  const session = await frameSession(services, { key: local.publishableKey, origin: SHOP_URL })
  const sent = { ...typed, origin: SHOP_URL, iat: Math.floor(clock.now() / 1_000), expYear: 2040, jti, session }
  return encryptCard(await newestJwk(services), sent)
}

/** Brings a card through the vault: its single-use token. */
export async function serviceToken(platform: TestPlatform, number?: string): Promise<string> {
  const token = await platform.call(contract.vault.createToken, {
    body: { jwe: await encryptedCard(platform, number) },
  })
  return token.serviceToken
}

/** Encrypts the security code of a saved card as the frame in the shop's page does. */
export async function encryptedCode(platform: TestPlatform, paymentInstrumentId: string, cvc = '123'): Promise<string> {
  const { services, clock, local } = platform
  messages += 1
  const jti = String(messages).padStart(22, 'B')
  const session = await frameSession(services, { key: local.publishableKey, origin: SHOP_URL })
  const sent = { cvc, paymentInstrumentId, origin: SHOP_URL, iat: Math.floor(clock.now() / 1_000), jti, session }
  return encrypt(JSON.stringify(sent), await newestJwk(services))
}

/** Brings the security code of a saved card through the vault: its single-use token. */
export async function codeToken(platform: TestPlatform, paymentInstrumentId: string): Promise<string> {
  const body = { jwe: await encryptedCode(platform, paymentInstrumentId) }
  const { securityCodeToken } = await platform.call(contract.vault.createSecurityCode, { body })
  return securityCodeToken
}

/** A payment instrument of a new customer, unless `more` names one. */
export async function newInstrument(
  platform: TestPlatform,
  {
    number,
    ...more
  }: {
    number?: string
    customerId?: string
    customerData?: { email: string; firstName?: string; lastName?: string }
  } = {},
): Promise<PaymentInstrument> {
  const body = { serviceToken: await serviceToken(platform, number), storeId: platform.local.storeId, ...more }
  const { paymentInstrument } = await platform.call(contract.paymentInstruments.createFromToken, { body })
  return paymentInstrument
}

/** Asks for a payment of 19.99 USD, unless `change` says otherwise. */
export function requestPayment(
  { request, local }: TestPlatform,
  change: Partial<Record<keyof NewPayment, unknown>>,
  sent: SentRequest = {},
): Promise<Answer> {
  const body = { storeId: local.storeId, currency: 'USD', amount: 1_999, ...change }
  return request('POST', '/api/payments/v1/payments', { body, ...sent })
}

/** A payment that succeeds. */
export async function pay(platform: TestPlatform, paymentInstrumentId: string): Promise<Payment> {
  const answer = await requestPayment(platform, { paymentInstrumentId })
  return contract.payments.create.response.parse(answer.body)
}

/** A payment of 19.99 USD whose money is set aside. */
export async function authorise(platform: TestPlatform, change: Partial<Record<keyof NewPayment, unknown>> = {}) {
  const { id: paymentInstrumentId } = await newInstrument(platform)
  const answer = await requestPayment(platform, { paymentInstrumentId, captureMethod: 'manual', ...change })
  return contract.payments.create.response.parse(answer.body)
}

/** A refund of 5 USD of a payment of 19.99 USD. */
export async function newRefund(platform: TestPlatform): Promise<Refund> {
  const { id: paymentId } = await pay(platform, (await newInstrument(platform)).id)
  const { refunds } = await platform.call(contract.payments.refund, { params: { paymentId }, body: { amount: 500 } })
  const [refund] = refunds
  if (refund === undefined) throw new Error(`The payment ${paymentId} was not refunded.`)
  return refund
}

/** A dispute of all of a payment of 19.99 USD. */
export async function newDispute(platform: TestPlatform): Promise<Dispute> {
  const { id: paymentId } = await pay(platform, (await newInstrument(platform)).id)
  return platform.call(contract.disputes.simulate, { params: { paymentId }, body: {} })
}

/** Puts a refund that waits for a second person into the database; the account has no limit. */
export async function newRefundRequest(platform: TestPlatform): Promise<{ id: string; paymentId: string }> {
  const { clock, db } = platform.services
  const payment = await pay(platform, (await newInstrument(platform)).id)
  const id = newId('rfr', clock.now(), systemRandomness())
  const sql = `INSERT INTO refund_requests (account_id, id, store_id, payment_id, amount, currency, refunded_before, status,
    requested_by, created_at, expires_at) VALUES (?, ?, ?, ?, 500, 'USD', 0, 'pending', 'mem_of_another', ?, ?)`
  const { accountId, storeId, id: paymentId } = payment
  await db.write([{ sql, params: [accountId, id, storeId, paymentId, clock.now(), clock.now() + 86_400_000] }])
  return { id, paymentId }
}
