import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { authorise, newInstrument, pay } from '../../test/pay-with-card.ts'
import { sharedPlatform } from '../../test/test-platform.ts'

const platform = sharedPlatform()

test.for([
  ['refund', 'amunt', async () => pay(platform(), (await newInstrument(platform())).id)],
  ['capture', 'amount_to_capture', () => authorise(platform())],
] as const)('a %s whose amount is misspelled moves no money', async ([kind, field, newPayment]) => {
  const payment = await newPayment()
  const { status, error } = await platform().request('POST', `/api/payments/v1/payments/${payment.id}/${kind}`, {
    body: { [field]: 100 },
  })
  expect(status).toBe(400)
  expect(error).toMatchObject({
    param: field,
    message: `${field} is not a field of this object; correct its name or leave it out.`,
  })
  const { capturedAmount, refundedAmount } = await platform().call(contract.payments.get, {
    params: { paymentId: payment.id },
  })
  expect([capturedAmount, refundedAmount]).toEqual([payment.capturedAmount, 0])
})

test.for([
  [{ capture_method: 'manual', amount: 1_999 }, 'capture_method'],
  [{ lines: [{ variantId: 'variant_0Vb0000000000000000000', unitAmount: 500 }] }, 'lines[0].unitAmount'],
])('a payment with a field that is none charges nothing: %j', async ([fields, param]) => {
  const { id } = await newInstrument(platform())
  const paymentsNow = () => platform().call(contract.payments.list, { query: {} })
  const before = await paymentsNow()
  const { status, error } = await platform().request('POST', '/api/payments/v1/payments', {
    body: { storeId: platform().local.storeId, paymentInstrumentId: id, currency: 'USD', ...Object(fields) },
  })
  expect([status, error.param]).toEqual([400, param])
  expect(await paymentsNow()).toEqual(before)
})
