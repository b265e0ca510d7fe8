import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { encryptedForm, requestPayment } from '../../../test/pay-with-card.ts'
import { testCodes } from '../../../test/vault/test-codes.ts'
import { driverWith } from '../../../test/payments/driver-with.ts'
import { buySubscription } from '../../../test/subscribe.ts'
import { sharedPlatform, ruleEngines } from '../../../test/test-platform.ts'
import type { Authorisation } from '../../processors/authorisation.ts'
import { circuitBreaker } from '../../routing/circuit-breaker.ts'
import { chargeCard } from './charge-card.ts'

/** Belongs to Bancontact, and to Maestro. */
const CO_BADGED = '6703444444444449'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  /** A payment with a card that was typed, and whose network was chosen. */
  async function paid(typed: { number?: string; network?: string; cvc?: string }, change = {}): Promise<Payment> {
    const { serviceToken } = await platform().call(contract.vault.createToken, {
      body: { jwe: await encryptedForm(platform(), { number: '4242424242424242', ...typed }) },
    })
    const { storeId } = platform().local
    const body = { serviceToken, storeId }
    const { paymentInstrument } = await platform().call(contract.paymentInstruments.createFromToken, { body })
    const answer = await requestPayment(platform(), { paymentInstrumentId: paymentInstrument.id, ...change })
    return contract.payments.create.response.parse(answer.body)
  }

  /** The authorisation that a driver receives for a payment. */
  async function handedFor(payment: Payment): Promise<Authorisation | undefined> {
    const { services, clock } = platform()
    const [row] = await services.db.read('SELECT card_id FROM payment_instruments WHERE id = ?', [
      payment.paymentInstrumentId,
    ])
    const handed: Authorisation[] = []
    const driver = driverWith({
      authorise: async (authorisation) => {
        handed.push(authorisation)
        return { outcome: 'succeeded', reference: 'r' }
      },
    })
    const charging = {
      services,
      driverOf: async () => driver,
      codes: testCodes(services),
      circuit: circuitBreaker(clock),
    }
    const buyer = { name: 'Ada Byrne', email: 'ada@example.com', billingAddress: null, ip: null }
    await chargeCard(
      payment,
      {
        cardId: String(row?.['card_id']),
        other: null,
        returnUrl: null,
        consent: null,
        code: null,
        threeds: null,
        buyer,
      },
      charging,
    )
    return handed[0]
  }

  test('what stands on the statement is kept with the payment and told to its processor', async () => {
    const payment = await paid({}, { statementDescriptor: 'ORDER 1042' })
    expect(payment.statementDescriptor).toBe('ORDER 1042')
    const read = await platform().call(contract.payments.get, { params: { paymentId: payment.id } })
    expect(await handedFor(read)).toMatchObject({
      descriptor: 'ORDER 1042',
      method: { type: 'card', network: null },
      initiatedBy: 'buyer',
      buyer: { name: 'Ada Byrne', email: 'ada@example.com' },
      orderId: payment.orderId,
    })
  })

  test.for([['1042'], ['A*B'], ["A'B"], ['A\nB'], ['ÄB'], ['A'.repeat(21)], ['']])(
    '%j cannot stand on a statement',
    async ([statementDescriptor]) => {
      const body = { storeId: platform().local.storeId, paymentInstrumentId: 'pi_1', currency: 'USD', amount: 1 }
      const answer = await platform().request('POST', contract.payments.create.path, {
        body: { ...body, statementDescriptor },
      })
      expect([answer.status, answer.error.param]).toEqual([400, 'statementDescriptor'])
    },
  )

  test.for([
    ['bancontact', ''],
    ['maestro', '123'],
  ] as const)('of a card of two networks the one that was chosen is told: %s', async ([network, cvc]) => {
    expect(await handedFor(await paid({ number: CO_BADGED, network, cvc }))).toMatchObject({ method: { network } })
  })

  test.for([
    ['first', 'buyer', 'first'],
    ['renewal', 'merchant', 'later'],
    ['last', 'merchant', 'later'],
  ] as const)(
    'the %s payment of a subscription, which the %s asks for, is told as one',
    async ([occasion, initiatedBy, use]) => {
      const payment = await buySubscription(platform())
      const subscriptions = payment.subscriptions.map((link) => ({ ...link, occasion }))
      const storedCredential = { use, reason: 'recurring', networkTransactionId: null }
      expect(await handedFor({ ...payment, initiatedBy, subscriptions })).toMatchObject({
        initiatedBy,
        storedCredential,
      })
    },
  )
})
