import { contract, type Payment } from '@tillwright/contract'
import { expect, onTestFinished } from 'vitest'
import type { ReportedDispute } from '../../src/processors/processor-driver.ts'
import { newInstrument, requestPayment } from '../pay-with-card.ts'
import { startTestPlatform, type TestPlatform } from '../test-platform.ts'
import { connectTelling, sendEvent, tellingDriver } from './telling-processor.ts'

/** A payment of 19.99 USD, and its processor, which tells of one dispute. */
interface DisputedPayment {
  platform: TestPlatform
  payment: Payment
  /** Sends an event; the processor answers so when it is asked about the dispute, by the last one from then on. */
  hear(...told: Partial<ReportedDispute>[]): Promise<Payment['disputes']>
}

export async function disputedPayment(): Promise<DisputedPayment> {
  let answers: Partial<ReportedDispute>[] = []
  let attemptId = ''
  const driver = tellingDriver(() => {
    const [told] = answers.length > 1 ? answers.splice(0, 1) : answers
    const about = { reference: 'case', attemptId, reason: 'fraudulent', respondBy: null }
    const money = { amount: 1_999, currency: 'USD' }
    return { about: 'dispute', dispute: { ...about, ...money, kind: 'chargeback', status: 'open', ...told } }
  })
  const platform = await startTestPlatform({ processors: [driver] })
  onTestFinished(() => platform.remove())
  const paymentFlowId = await connectTelling(platform, driver)
  const { id: paymentInstrumentId } = await newInstrument(platform)
  const { body } = await requestPayment(platform, { paymentInstrumentId, paymentFlowId })
  const payment = contract.payments.create.response.parse(body)
  attemptId = payment.attempts[0]?.id ?? ''
  return {
    platform,
    payment,
    async hear(...told) {
      answers = told
      expect((await sendEvent(platform)).status).toBe(200)
      const { disputes } = await platform.call(contract.payments.get, { params: { paymentId: payment.id } })
      return disputes
    },
  }
}
