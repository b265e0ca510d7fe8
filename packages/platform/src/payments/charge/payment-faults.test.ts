import { contract, type Payment } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../../test/pay-with-card.ts'
import { sharedPlatform } from '../../../test/test-platform.ts'
import type { FaultOf } from '../../runtime/fault.ts'

const platform = sharedPlatform()

async function payWith(fault: FaultOf<'processor'>) {
  const { id } = await newInstrument(platform())
  return requestPayment(platform(), { paymentInstrumentId: id }, { headers: { 'Tillwright-Fault': fault } })
}

/** How often the simulator was charged for a payment's attempts. */
async function chargesOf({ attempts }: Payment): Promise<number> {
  const rows = await platform().services.db.read('SELECT attempt_id FROM simulator_charges WHERE captured > 0', [])
  return attempts.filter(({ id }) => rows.some((row) => row['attempt_id'] === id)).length
}

const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })

test('when the answer of the processor is lost the payment is processing, and completed later with one charge', async () => {
  const answer = await payWith('processor=timeout_after')
  const payment = contract.payments.create.response.parse(answer.body)
  expect([answer.status, payment.status]).toEqual([201, 'processing'])
  await expect
    .poll(async () => (platform().clock.advance(5_001), (await read(payment.id)).status), { timeout: 60_000 })
    .toBe('succeeded')
  expect(await chargesOf(await read(payment.id))).toBe(1)
})

test('a request that reaches the processor twice charges once', async () => {
  const payment = contract.payments.create.response.parse((await payWith('processor=duplicate')).body)
  expect(payment.status).toBe('succeeded')
  expect(await chargesOf(payment)).toBe(1)
})

test('in an outage of the processor the payment fails without a charge', async () => {
  const { status, error } = await payWith('processor=outage')
  expect([status, error.code]).toEqual([402, 'processing_error'])
  expect(await chargesOf(await read(error.paymentId ?? ''))).toBe(0)
})
