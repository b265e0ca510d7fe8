import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { newInstrument } from '../../test/pay-with-card.ts'
import { CLIENT_ID, CLIENT_SECRET, startPayPalDouble } from '../../test/processors/paypal/paypal-double.ts'
import { startTestPlatform } from '../../test/test-platform.ts'
import { commit } from '../http/operations/commit.ts'
import { paypalClient } from '../processors/paypal/client.ts'
import { paypalDriver } from '../processors/paypal/paypal-driver.ts'
import { paypal } from '../processors/paypal/paypal.ts'
import { insertProcessor } from '../processors/processors.ts'
import { sealProcessorSecret } from '../processors/settings.ts'
import { noteAttempt } from './receive-event.ts'

const PAYPAL = 'processor_paypal'

test('of an order that its buyer has given up and approves all the same, PayPal is not asked to take the money', async () => {
  const double = await startPayPalDouble()
  onTestFinished(() => double.stop())
  const platform = await startTestPlatform()
  const { services, local, clock, call } = platform
  const { accountId, storeId } = local
  const settings = paypal.settings.parse({ clientId: CLIENT_ID, mode: 'sandbox', apiUrl: double.url })
  const sealedSecret = sealProcessorSecret(CLIENT_SECRET, PAYPAL, services)
  const processor = { id: PAYPAL, accountId, name: 'PayPal', driver: 'paypal' as const, settings, sealedSecret }
  await commit([insertProcessor(processor, clock.now())], services)
  const flow = { name: 'PayPal', strategy: 'simple' as const, processorConfigs: [{ processorId: PAYPAL }] }
  const { id: paymentFlowId } = await call(contract.paymentFlows.create, { body: { data: flow } })
  const { customerId } = await newInstrument(platform)
  const paid = { storeId, customerId, paymentFlowId, currency: 'EUR', amount: 1_999 }
  const body = { ...paid, paymentMethod: { type: 'paypal' }, returnUrl: 'https://shop.example/thanks' }
  const answer = await platform.request('POST', contract.payments.create.path, { body })
  const { id: paymentId, attempts } = contract.payments.create.response.parse(answer.body)
  const read = () => call(contract.payments.get, { params: { paymentId } })

  const [order] = double.orders
  const { payment_source: source } = Object(double.calls.find(({ path }) => path.endsWith('/orders'))?.body)
  const cancelUrl = new URL(source.paypal.experience_context.cancel_url)
  cancelUrl.searchParams.set('token', order?.id ?? '')
  expect((await fetch(cancelUrl, { redirect: 'manual' })).status).toBe(303)
  expect(await read()).toMatchObject({ status: 'declined', declineCode: 'buyer_canceled' })

  double.approve(order?.id ?? '')
  const client = paypalClient({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, mode: 'sandbox', apiUrl: double.url })
  const told = { accountId, processorId: PAYPAL, attemptId: attempts[0]?.id ?? '' }
  const driverOf = async () => paypalDriver({ client, clock })
  expect(await noteAttempt(told, { services, driverOf })).toBe(true)
  expect(order).toMatchObject({ status: 'APPROVED', capture: null, authorization: null })
  expect(await read()).toMatchObject({ status: 'declined', capturedAmount: 0 })
})
