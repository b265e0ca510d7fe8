import { expect, test } from 'vitest'
import { newInstrument, pay } from '../testing/pay-with-card.ts'
import { sharedPlatform } from '../testing/test-platform.ts'
import { cvcMemory } from '../vault/cvc-memory.ts'
import { chargeCard } from './charge-card.ts'
import { driverWith } from './testing/driver-with.ts'

const platform = sharedPlatform()

test('a security code goes out with one charge, and after it or after a restart with none', async () => {
  const { parts, clock } = platform()
  const payment = await pay(platform(), (await newInstrument(platform())).id)
  const [row] = await parts.db.read('SELECT card_id FROM payment_instruments WHERE id = ?', [
    payment.paymentInstrumentId,
  ])
  const cardId = String(row?.['card_id'])
  const sent: (string | null)[] = []
  const driver = driverWith({
    authorise: async ({ card }) => {
      sent.push(card.cvc)
      return { outcome: 'succeeded', reference: '' }
    },
  })
  const process = () => ({ parts, driverOf: async () => driver, cvcs: cvcMemory(clock, new AbortController().signal) })
  const one = process()
  one.cvcs.keep(cardId, '1234')
  await chargeCard(payment, cardId, one)
  await chargeCard(payment, cardId, one)
  one.cvcs.keep(cardId, '5678')
  await chargeCard(payment, cardId, process())
  expect(sent).toEqual(['1234', null, null])
})
