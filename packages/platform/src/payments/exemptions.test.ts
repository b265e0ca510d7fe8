import { contract, type ExemptionPolicy, type Payment } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { authenticateWaiting, resultOf, threedsActionOf } from '../../test/threeds-payment.ts'

/** Its issuer wants the buyer whenever the buyer was not authenticated, and asks for a code. */
const SOFT_DECLINING = '4000002760003184'
/** Its issuer asks for a code, unless an exemption is asked for. */
const HONOURING = '4000000000002842'
/** Its issuer takes notice of an exemption, and leaves it to the authorization. */
const NOTICING = '4000000000002859'
/** Its issuer tells that the buyer keeps the shop on their list. */
const TRUSTING = '4000000000002867'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })

  /** A flow of a processor whose acquirer is in Germany. */
  async function flowWith(exemptionPolicy: ExemptionPolicy, change: object = {}): Promise<string> {
    const { flow, processorIds } = await newFlow(platform(), 0, { threeDsEnabled: true, exemptionPolicy, ...change })
    const config = JSON.stringify({ acquirer: { country: 'DE', fraudRatePercent: 0.05 } })
    await platform().services.db.write([
      { sql: 'UPDATE processors SET config = ? WHERE id = ?', params: [config, processorIds[0] ?? ''] },
    ])
    return flow.id
  }

  /** A flow of processors that are asked in their order, each with the acquirer behind it. */
  async function flowOf(acquirers: readonly object[], exemptionPolicy: ExemptionPolicy): Promise<string> {
    const change = { threeDsEnabled: true, exemptionPolicy }
    const { flow, processorIds } = await newFlow(platform(), acquirers.length - 1, change)
    const sql = 'UPDATE processors SET config = ? WHERE id = ?'
    await platform().services.db.write(
      processorIds.map((id, index) => ({ sql, params: [JSON.stringify({ acquirer: acquirers[index] }), id] })),
    )
    return flow.id
  }
  /** The first processor is out of order, so that the next is asked. */
  const behindOutage = { headers: { 'Tillwright-Fault': 'processor=outage' } }
  const payBehindOutage = async (paymentInstrumentId: string, paymentFlowId: string, amount = 20_00) => {
    const order = { paymentInstrumentId, paymentFlowId, amount, currency: 'EUR' }
    return contract.payments.create.response.parse((await requestPayment(platform(), order, behindOutage)).body)
  }
  const countedAs = async (paymentId: string) => {
    const sql = 'SELECT payment_id FROM low_value_payments WHERE payment_id = ?'
    return (await platform().services.db.read(sql, [paymentId])).length
  }
  const CAREFUL = { country: 'DE', fraudRatePercent: 0.05 }
  const CARELESS = { country: 'DE', fraudRatePercent: 0.2 }
  const ELSEWHERE = { country: 'US', fraudRatePercent: 0.01 }

  const inAuthorization = (...exemptions: ExemptionPolicy['exemptions']): ExemptionPolicy => {
    return { exemptions, requestIn: 'authorization' }
  }
  const inAuthentication = (...exemptions: ExemptionPolicy['exemptions']): ExemptionPolicy => {
    return { exemptions, requestIn: 'authentication' }
  }
  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const ask = (paymentInstrumentId: string, paymentFlowId: string, change: object = {}) =>
    requestPayment(platform(), { paymentInstrumentId, paymentFlowId, amount: 20_00, currency: 'EUR', ...change })
  const pay = async (...asked: Parameters<typeof ask>): Promise<Payment> =>
    contract.payments.create.response.parse((await ask(...asked)).body)
  const goOn = (paymentId: string) => platform().call(contract.payments.continue, { params: { paymentId } })
  const authenticate = (payment: Payment) => authenticateWaiting(platform(), threedsActionOf(payment))
  /** The buyer proves who they are. */
  async function challenge(payment: Payment): Promise<void> {
    await authenticate(payment)
    const sessionId = threedsActionOf(payment).sessionId
    await platform().receiveThreedsResult(await resultOf(platform(), sessionId))
  }
  const indicatorOf = async ({ threedsSessionId }: Payment) => {
    const { transcript } = await platform().call(contract.threeds.get, {
      params: { sessionId: threedsSessionId ?? '' },
    })
    return transcript
      .map(({ message }) => Object(message) as Record<string, unknown>) // any object is one
      .find(({ messageType }) => messageType === 'AReq')?.['threeDSRequestorChallengeInd']
  }

  test('a flow without a policy authenticates as before, and says nothing of exemptions', async () => {
    const { flow } = await newFlow(platform(), 0, { threeDsEnabled: true })
    const { id } = await newInstrument(platform())
    expect(flow.exemptionPolicy).toBeNull()
    expect(await pay(id, flow.id)).toMatchObject({ status: 'requires_action', routing: { sca: null } })
  })

  test('a payment of low value is authorized without 3-D Secure, and says by which article', async () => {
    const { id } = await newInstrument(platform())
    const payment = await pay(id, await flowWith(inAuthorization('low_value')))
    expect(payment).toMatchObject({
      status: 'succeeded',
      threedsSessionId: null,
      attempts: [{ exemption: { asked: 'low_value', result: 'honoured' } }],
    })
    expect((await read(payment.id)).routing.sca).toEqual({
      scope: 'in_scope',
      asked: 'low_value',
      requestedIn: 'authorization',
      result: null,
      considered: [{ exemption: 'low_value', article: 16, reason: 'applies' }],
    })
  })

  test('what is no exemption of the payment is authenticated', async () => {
    const { id } = await newInstrument(platform())
    const payment = await pay(id, await flowWith(inAuthorization('low_value', 'low_risk')), { amount: 300_00 })
    expect(payment).toMatchObject({
      status: 'requires_action',
      routing: {
        sca: {
          asked: null,
          considered: [{ reason: 'amount_too_high' }, { exemption: 'low_risk', reason: 'amount_too_high' }],
        },
      },
    })
  })

  test('an issuer that wants the buyer all the same gets them, with a challenge on the same processor', async () => {
    const flowId = await flowWith(inAuthorization('low_risk'))
    const { id } = await newInstrument(platform(), { number: SOFT_DECLINING })
    const waiting = await pay(id, flowId)
    expect(waiting).toMatchObject({
      status: 'requires_action',
      routing: { sca: { asked: 'low_risk', result: 'refused' } },
    })
    await challenge(waiting)
    expect(await indicatorOf(waiting)).toBe('04')
    const paid = await goOn(waiting.id)
    expect(paid.status).toBe('succeeded')
    expect(new Set(paid.attempts.map(({ processorId }) => processorId)).size).toBe(1)
    expect(paid.attempts.map(({ exemption }) => exemption)).toEqual([{ asked: 'low_risk', result: 'refused' }, null])
    expect((await read(waiting.id)).routing.sca).toMatchObject({ asked: 'low_risk', result: 'refused' })
  })

  test.for([
    ['low_risk', '05', 'no-preference'],
    ['low_risk', '05', 'no-challenge'],
    ['low_value', '02', 'no-preference'],
  ] as const)(
    '%s is asked for in the authentication with the indicator %s by a merchant of %s, and honoured',
    async ([exemption, code, challengePreference]) => {
      const { id } = await newInstrument(platform(), { number: HONOURING })
      const waiting = await pay(id, await flowWith(inAuthentication(exemption)), { challengePreference })
      expect(waiting.status).toBe('requires_action')
      expect((await authenticate(waiting)).status).toBe('successful')
      expect(await indicatorOf(waiting)).toBe(code)
      expect(await goOn(waiting.id)).toMatchObject({
        status: 'succeeded',
        routing: { sca: { asked: exemption, requestedIn: 'authentication', result: 'honoured' } },
      })
      expect((await read(waiting.id)).routing.sca?.result).toBe('honoured')
    },
  )

  test('an issuer that only takes notice leaves the exemption to the authorization', async () => {
    const { id } = await newInstrument(platform(), { number: NOTICING })
    const waiting = await pay(id, await flowWith(inAuthentication('low_risk')))
    expect((await authenticate(waiting)).status).toBe('informational')
    const paid = await goOn(waiting.id)
    expect(paid).toMatchObject({
      status: 'succeeded',
      routing: { sca: { result: 'honoured' } },
      attempts: [{ exemption: { asked: 'low_risk', result: 'honoured' } }],
    })
  })

  test('an issuer that declines for the exemption declines, and one that approves without it says so', async () => {
    const flowId = await flowWith(inAuthorization('low_value'))
    const declining = await newInstrument(platform(), { number: '4000000000003006' })
    expect((await ask(declining.id, flowId)).error.declineCode).toBe('do_not_honor')
    const refusing = await newInstrument(platform(), { number: '4000000000003014' })
    expect(await pay(refusing.id, flowId)).toMatchObject({
      status: 'succeeded',
      attempts: [{ exemption: { asked: 'low_value', result: 'refused' } }],
    })
  })

  test('a trusted merchant is known from an earlier authentication', async () => {
    const flowId = await flowWith(inAuthentication('trusted'))
    const { id } = await newInstrument(platform(), { number: TRUSTING })
    const first = await pay(id, flowId)
    expect(first.routing.sca?.considered).toMatchObject([{ reason: 'not_trusted' }])
    await authenticate(first)
    await goOn(first.id)
    const second = await pay(id, flowId)
    expect(second.routing.sca).toMatchObject({ asked: 'trusted', considered: [{ article: 13, reason: 'applies' }] })
    await authenticate(second)
    expect(await indicatorOf(second)).toBe('08')
  })

  test('nothing is asked for where the buyer agrees to later charges, where the merchant wants the buyer, and without one', async () => {
    const flowId = await flowWith(inAuthorization('low_value'))
    const { id } = await newInstrument(platform())
    expect((await pay(id, flowId, { setupFutureUsage: 'off_session' })).routing.sca?.scope).toBe('agreement_begins')
    expect((await pay(id, flowId, { challengePreference: '03' })).routing.sca?.scope).toBe('authentication_wanted')
    const agreed = await newInstrument(platform())
    const plain = platform().local.paymentFlowId
    await pay(agreed.id, plain, { setupFutureUsage: 'off_session', currency: 'USD' })
    expect((await pay(agreed.id, flowId, { initiatedBy: 'merchant' })).routing.sca).toMatchObject({
      scope: 'merchant_initiated',
      asked: null,
    })
  })

  test('a card has five payments of low value in a row, and a challenge begins the count anew', async () => {
    const flowId = await flowWith(inAuthorization('low_value'))
    const { id } = await newInstrument(platform(), { number: '4000000000002503' })
    const small = { amount: 1_00 }
    for (let n = 0; n < 5; n++) expect((await pay(id, flowId, small)).status).toBe('succeeded')
    const sixth = await pay(id, flowId, small)
    expect(sixth).toMatchObject({
      status: 'requires_action',
      routing: { sca: { considered: [{ reason: 'five_in_a_row' }] } },
    })
    await challenge(sixth)
    expect((await goOn(sixth.id)).status).toBe('succeeded')
    expect((await pay(id, flowId, small)).status).toBe('succeeded')
  })

  test('what was declined does not count', async () => {
    const flowId = await flowWith(inAuthorization('low_value'))
    const { id } = await newInstrument(platform(), { number: '4000000000009995' })
    for (let n = 0; n < 6; n++) expect((await ask(id, flowId)).error.code).toBe('insufficient_funds')
    const rows = await platform().services.db.read(
      "SELECT payment_id FROM low_value_payments WHERE payment_id <> '' AND amount = 2000 AND card_fingerprint IN (SELECT c.fingerprint FROM cards c JOIN payment_instruments i ON i.card_id = c.id WHERE i.id = ?)",
      [id],
    )
    expect(rows).toEqual([])
  })

  test('each processor is asked for the exemption that its own acquirer may ask for, and the attempt says why', async () => {
    const flowId = await flowOf([CAREFUL, CARELESS], inAuthorization('low_risk', 'low_value'))
    const { id } = await newInstrument(platform())
    const payment = await payBehindOutage(id, flowId)
    expect(payment).toMatchObject({
      status: 'succeeded',
      threedsSessionId: null,
      routing: { sca: { asked: 'low_risk', requestedIn: 'authorization' } },
      attempts: [
        { outcome: 'technical_failure', exemption: { asked: 'low_risk', result: null }, decision: { sca: null } },
        { outcome: 'succeeded', exemption: { asked: 'low_value', result: 'honoured' } },
      ],
    })
    expect(payment.attempts[1]?.decision.sca).toEqual({
      scope: 'in_scope',
      asked: 'low_value',
      requestedIn: 'authorization',
      result: null,
      considered: [
        { exemption: 'low_risk', article: 18, reason: 'fraud_rate_too_high' },
        { exemption: 'low_value', article: 16, reason: 'applies' },
      ],
    })
    expect(await read(payment.id)).toEqual(payment)
    expect(await countedAs(payment.id)).toBe(1)
  })

  test('an acquirer outside the regulation is asked for nothing, and its payment does not count', async () => {
    const { id } = await newInstrument(platform())
    const twice = await payBehindOutage(id, await flowOf([CAREFUL, CAREFUL], inAuthorization('low_value')))
    expect(twice.attempts.map(({ exemption }) => exemption?.asked)).toEqual(['low_value', 'low_value'])
    expect(await countedAs(twice.id)).toBe(1)
    const left = await payBehindOutage(id, await flowOf([CAREFUL, ELSEWHERE], inAuthorization('low_value')))
    expect(left.attempts[1]).toMatchObject({ exemption: null, decision: { sca: { scope: 'acquirer_elsewhere' } } })
    expect(await countedAs(left.id)).toBe(0)
    const entered = await payBehindOutage(id, await flowOf([CARELESS, CAREFUL], inAuthorization('low_risk')))
    expect(entered.status).toBe('requires_action') // the first could ask for none, so that the buyer authenticates
  })

  test('an issuer that wants the buyer at the second processor gets a challenge, and the payment does not count', async () => {
    const flowId = await flowOf([CAREFUL, CARELESS], inAuthorization('low_risk', 'low_value'))
    const { id } = await newInstrument(platform(), { number: SOFT_DECLINING })
    const waiting = await payBehindOutage(id, flowId)
    expect(waiting).toMatchObject({ status: 'requires_action', routing: { sca: { result: 'refused' } } })
    expect(waiting.attempts[1]?.exemption).toEqual({ asked: 'low_value', result: 'refused' })
    expect(await countedAs(waiting.id)).toBe(0)
    await challenge(waiting)
    expect(await indicatorOf(waiting)).toBe('04')
    const paid = await goOn(waiting.id)
    expect(paid.attempts.at(-1)).toMatchObject({ status: 'succeeded', exemption: null, decision: { sca: null } })
    expect(paid.attempts[2]?.processorId).toBe(paid.attempts[1]?.processorId)
  })

  test('an exemption that the issuer took notice of is asked for at the next processor, and none for who was authenticated', async () => {
    const flowId = await flowOf([CAREFUL, CAREFUL], inAuthentication('low_risk'))
    const goOnBehindOutage = async ({ id }: Payment) => {
      const path = contract.payments.continue.path.replace('{paymentId}', id)
      const answer = await platform().request('POST', path, behindOutage)
      return contract.payments.continue.response.parse(answer.body)
    }
    const noticing = await newInstrument(platform(), { number: NOTICING })
    const noticed = await pay(noticing.id, flowId)
    await authenticate(noticed)
    expect((await goOnBehindOutage(noticed)).attempts).toMatchObject([
      { outcome: 'technical_failure', exemption: { asked: 'low_risk', result: null } },
      { exemption: { asked: 'low_risk', result: 'honoured' }, decision: { sca: { requestedIn: 'authorization' } } },
    ])
    const { id } = await newInstrument(platform(), { number: HONOURING })
    const honoured = await pay(id, flowId)
    await authenticate(honoured)
    expect((await goOnBehindOutage(honoured)).attempts[1]).toMatchObject({ exemption: null, decision: { sca: null } })
  })

  it('of many payments at once no more are exempted at the second processor than the sum allows', async () => {
    const flowId = await flowOf([CAREFUL, CARELESS], inAuthorization('low_risk', 'low_value'))
    const { id } = await newInstrument(platform(), { number: '5105105105105100' })
    const paid = await Promise.all(Array.from({ length: 8 }, () => payBehindOutage(id, flowId, 30_00)))
    expect(paid.every(({ status }) => status === 'succeeded')).toBe(true)
    const exempted = paid.filter(({ attempts }) => attempts[1]?.exemption?.asked === 'low_value')
    expect(exempted).toHaveLength(3)
  })

  it('of many payments of low value at once no more are exempted than the sum allows', async () => {
    const flowId = await flowWith(inAuthorization('low_value'))
    const { id } = await newInstrument(platform(), { number: '5555555555554444' })
    const asked = await Promise.all(Array.from({ length: 8 }, () => pay(id, flowId, { amount: 30_00 })))
    const exempted = asked.filter(({ routing }) => routing.sca?.asked === 'low_value')
    expect(exempted).toHaveLength(3)
    expect(asked.filter(({ status }) => status === 'requires_action')).toHaveLength(5)
  })
})
