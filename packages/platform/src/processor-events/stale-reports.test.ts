import { contract, type Dispute } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { balancesOf } from '../../test/payments/money-of.ts'
import { connectTelling, sendEvent, tellingDriver } from '../../test/processors/telling-processor.ts'
import { startTestPlatform } from '../../test/test-platform.ts'

test('a decision is not undone by an answer of the processor that is older, and is by one that is newer', async () => {
  const answers: Dispute['status'][] = []
  let attemptId = ''
  const driver = tellingDriver(() => {
    const status = answers.shift()
    if (status === undefined) return null
    const about = {
      reference: 'case',
      attemptId,
      amount: 1_999,
      currency: 'USD',
      reason: 'fraudulent',
      respondBy: null,
    }
    return { about: 'dispute', dispute: { ...about, kind: 'chargeback', status } }
  })
  const platform = await startTestPlatform({ processors: [driver] })
  onTestFinished(() => platform.remove())
  const paymentFlowId = await connectTelling(platform, driver)
  const { id: paymentInstrumentId } = await newInstrument(platform)
  const { body } = await requestPayment(platform, { paymentInstrumentId, paymentFlowId })
  const payment = contract.payments.create.response.parse(body)
  attemptId = payment.attempts[0]?.id ?? ''
  const hear = async (...told: Dispute['status'][]) => {
    answers.push(...told)
    expect((await sendEvent(platform)).status).toBe(200)
    answers.length = 0
    const { disputes } = await platform.call(contract.payments.get, { params: { paymentId: payment.id } })
    return disputes.map(({ status }) => status)
  }
  expect(await hear('open')).toEqual(['open'])
  expect(await hear('won')).toEqual(['won'])
  // Asked before it was won, and answered after.
  expect(await hear('lost', 'won')).toEqual(['won'])
  expect(await balancesOf(payment.id, platform)).toEqual({ processor: 1_999, sales: -1_999 })
  expect(await hear('lost', 'lost')).toEqual(['lost'])
  expect(await hear('open', 'lost')).toEqual(['lost'])
  expect(await balancesOf(payment.id, platform)).toEqual({ losses: 1_999, sales: -1_999 })
})
