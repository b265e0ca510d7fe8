import { contract, type Payment, type PaymentFlow } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../../test/pay-with-card.ts'
import { testCodes } from '../../../test/vault/test-codes.ts'
import { newFlow } from '../../../test/payments/new-flow.ts'
import { payThrough } from '../../../test/payments/pay-through.ts'
import { type Script, scriptedDrivers } from '../../../test/payments/scripted-drivers.ts'
import { sharedPlatform, ruleEngines } from '../../../test/test-platform.ts'
import { readPayment } from '../../ledger/payment-records.ts'
import { proof } from '../../../test/processors/new-authorisation.ts'
import { declined } from '../../processors/authorisation.ts'
import { circuitBreaker } from '../../routing/circuit-breaker.ts'
import { readRoute } from '../../routing/route.ts'
import { drawOf } from '../../runtime/randomness.ts'
import { cascade } from './cascade.ts'

const succeeded = { outcome: 'succeeded', reference: 'ref' } as const
const soft = declined('insufficient_funds', { reference: 'ref' })
const backoff = { outcome: 'refused_before_acceptance', reason: 'maintenance' } as const
const broken = () => Promise.reject(new Error('socket hang up'))
let payments = 0

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  /** Pays through a flow of as many processors as there are scripts, asked in their order. */
  async function payScripted(scripts: readonly Script[], change: Partial<Omit<PaymentFlow, 'id'>> = {}) {
    const { services } = platform()
    const { flow, processorIds } = await newFlow(platform(), scripts.length - 1, change)
    const { driverOf, sent } = scriptedDrivers(new Map(processorIds.map((id, i) => [id, scripts[i] ?? succeeded])))
    const instrument = await newInstrument(platform())
    const { accountId } = platform().local
    payments += 1
    const answer = await payThrough({
      ...platform(),
      driverOf,
      paymentInstrumentId: instrument.id,
      key: `payment-${payments}`,
      order: { paymentFlowId: flow.id },
    })
    const body = JSON.parse(answer.body)
    const payment = await readPayment(body.id ?? body.error.paymentId, accountId, services.db)
    if (payment === null) throw new Error('Nothing is on record.')
    return { answer: { status: answer.status, body }, payment, sent, processorIds }
  }

  const trace = ({ attempts }: Payment) => attempts.map(({ status, outcome }) => [status, outcome])

  test('after a soft decline and after an outage the next processor is asked, and the payment succeeds once', async () => {
    const { answer, payment, sent, processorIds } = await payScripted([soft, backoff, succeeded, succeeded])
    expect(answer).toEqual({ status: 201, body: payment })
    expect(sent.map(({ processorId }) => processorId)).toEqual(processorIds.slice(0, 3))
    expect(payment).toMatchObject({ status: 'succeeded', declineCode: null, routing: { stopped: null } })
    expect(trace(payment)).toEqual([
      ['declined', 'soft_decline'],
      ['failed', 'technical_failure'],
      ['succeeded', 'succeeded'],
    ])
    const events = await platform().services.db.read('SELECT event_type FROM events WHERE properties LIKE ?', [
      `%${payment.id}%`,
    ])
    expect(events.map((row) => row['event_type']).toSorted()).toEqual([
      's_order_paid',
      's_payment_created',
      's_payment_succeeded',
    ])
  })

  test('each attempt tells from which pool it was chosen, who was left out, and its draw', async () => {
    const { payment, processorIds } = await payScripted([soft, soft, succeeded])
    const [first, second, third] = processorIds
    expect(payment.attempts.map(({ decision }) => decision)).toMatchObject([
      { pool: 'primary', candidates: [{ processorId: first }], dropped: [] },
      { pool: 'fallback', candidates: [{ processorId: second }, { processorId: third }] },
      { pool: 'fallback', dropped: [{ processorId: first, reason: 'already_tried' }, { processorId: second }] },
    ])
    for (const { id, decision } of payment.attempts) expect(decision.draw).toBe(drawOf(id))
  })

  test('no more attempts are made than the flow allows, and none twice at one processor', async () => {
    const { answer, payment } = await payScripted([soft, soft, soft, succeeded], { maxFallbackRetries: 2 })
    expect([answer.status, answer.body.error.code]).toEqual([402, 'insufficient_funds'])
    expect(payment).toMatchObject({ status: 'declined', declineCode: 'insufficient_funds' })
    expect([payment.attempts.length, payment.routing.stopped]).toEqual([3, 'retries_used_up'])
    const all = await payScripted([soft, soft], { maxFallbackRetries: 10 })
    expect([all.sent.length, all.payment.routing.stopped]).toEqual([2, 'no_processor_left'])
  })

  test.for([
    ['simple flow', { strategy: 'simple' }, 'single_processor'],
    ['flow without fallback', { fallbackMode: false }, 'fallback_off'],
    ['flow of no retries', { maxFallbackRetries: 0 }, 'retries_used_up'],
  ] as const)('a %s asks one processor', async ([, change, stopped]) => {
    const { payment, sent } = await payScripted([soft, succeeded], change)
    expect([sent.length, payment.status, payment.routing.stopped]).toEqual([1, 'declined', stopped])
  })

  test.for([
    ['no clear answer', broken],
    ['a time-out', () => (queueMicrotask(() => platform().clock.advance(30_000)), new Promise<never>(() => {}))],
  ] as const)('after %s no other processor is asked, and the payment stays processing', async ([, script]) => {
    const { answer, payment, sent } = await payScripted([script, succeeded])
    expect([answer.status, answer.body]).toEqual([201, payment])
    expect([sent.length, payment.status, trace(payment)]).toEqual([1, 'processing', [['processing', 'unknown']]])
  })

  test('where every fault was technical the payment has failed, and says that it may be tried again', async () => {
    const { answer, payment } = await payScripted([backoff, backoff])
    expect(answer).toMatchObject({ status: 402, body: { error: { code: 'processing_error', paymentId: payment.id } } })
    expect(payment).toMatchObject({ status: 'failed', declineCode: null })
  })

  test('a payment that an issuer declined is declined, even if the last processor was out of order', async () => {
    const { answer, payment } = await payScripted([soft, backoff])
    expect(answer.body.error.declineCode).toBe('insufficient_funds')
    expect(payment).toMatchObject({ status: 'declined', declineCode: 'insufficient_funds' })
  })

  test('a processor that wants the buyer to authenticate ends the chain', async () => {
    const { answer, payment, sent } = await payScripted([{ outcome: 'threeds_required', reference: null }, succeeded])
    expect([answer.status, answer.body.error.code]).toEqual([402, 'authentication_required'])
    expect([sent.length, payment.routing.stopped]).toEqual([1, 'authentication_required'])
  })

  test('security code and authentication go to every processor that is asked', async () => {
    const { services, clock } = platform()
    const threeds = proof
    const { flow, processorIds } = await newFlow(platform(), 1)
    const { driverOf, sent } = scriptedDrivers(new Map(processorIds.map((id, i) => [id, i === 0 ? soft : broken])))
    const { id } = await newInstrument(platform())
    const charging = {
      services,
      driverOf,
      codes: testCodes(services),
      circuit: circuitBreaker(clock),
    }
    const unsent = { ...platform(), paymentInstrumentId: id, key: `cvc-${engine}`, order: { paymentFlowId: flow.id } }
    const left = await payThrough({ ...unsent, driverOf: () => Promise.reject(new Error('The process dies.')) }).catch(
      () => 'died',
    )
    expect(left).toBe('died')
    const [row] = await services.db.read('SELECT id FROM payments WHERE payment_flow_id = ?', [flow.id])
    const payment = await readPayment(String(row?.['id']), platform().local.accountId, services.db)
    const route = payment === null ? null : await readRoute(payment.id, payment.accountId, services.db)
    if (payment === null || route === null || typeof route === 'string') throw new Error('Nothing is on record.')
    const code = await charging.codes.seal('123', { accountId: payment.accountId, cardId: route.card.cardId })
    await cascade({ payment, route, threeds, other: null, code, holder: services.cluster.self.id }, charging)
    expect(
      sent.map(({ method, threeds: sentProof }) => [
        method.type === 'card' && method.card.kind === 'number' ? method.card.cvc : null,
        sentProof,
      ]),
    ).toEqual(Array(2).fill(['123', threeds]))
  })

  test('a chain that takes longer than a lease is not taken for abandoned', async () => {
    const slow = async () => (platform().clock.advance(25_000), soft)
    const { payment } = await payScripted([slow, slow, slow, succeeded])
    expect([payment.status, payment.attempts.length]).toEqual(['succeeded', 4])
  })

  test('the database holds no second attempt next to one that is under way or has taken the money', async () => {
    const { services } = platform()
    const second = (paymentId: string) =>
      services.db.write([
        {
          sql: `INSERT INTO payment_attempts (account_id, id, payment_id, processor_id, status, decision, created_at, ordinal, is_open)
            VALUES (?, ?, ?, 'processor_1', 'processing', '{}', 0, 2, 1)`,
          params: [platform().local.accountId, `att_second_${paymentId}`, paymentId],
        },
      ])
    const paid = await payScripted([succeeded])
    const open = await payScripted([broken])
    const unpaid = await payScripted([soft])
    expect(await second(paid.payment.id)).toMatchObject({ outcome: 'refused', reason: 'duplicate' })
    expect(await second(open.payment.id)).toMatchObject({ outcome: 'refused', reason: 'duplicate' })
    expect(await second(unpaid.payment.id)).toMatchObject({ outcome: 'committed' })
  })

  test('an outage that a request asks for befalls its first processor, and the next one steps in', async () => {
    const { flow, processorIds } = await newFlow(platform(), 1)
    const { id } = await newInstrument(platform())
    const order = { paymentInstrumentId: id, paymentFlowId: flow.id }
    const answer = await requestPayment(platform(), order, { headers: { 'Tillwright-Fault': 'processor=outage' } })
    expect(answer.body).toMatchObject({
      status: 'succeeded',
      attempts: [
        { processorId: processorIds[0], outcome: 'technical_failure' },
        { processorId: processorIds[1], outcome: 'succeeded' },
      ],
    })
  })

  test('a processor that keeps failing is left alone by its process, and the decision says so', async () => {
    const { services, clock } = platform()
    const { flow, processorIds } = await newFlow(platform(), 1)
    const [first = '', second] = processorIds
    const { driverOf } = scriptedDrivers(new Map(processorIds.map((id, i) => [id, i === 0 ? backoff : succeeded])))
    const { id } = await newInstrument(platform())
    const circuit = circuitBreaker(clock)
    const payAgain = async (key: string): Promise<Payment> => {
      const paying = { paymentInstrumentId: id, key: `${key}-${engine}`, order: { paymentFlowId: flow.id } }
      const answer = await payThrough({ services, local: platform().local, driverOf, circuit, ...paying })
      return contract.payments.create.response.parse(JSON.parse(answer.body))
    }
    for (let i = 0; i < 5; i++) expect((await payAgain(`failing-${i}`)).attempts).toHaveLength(2)
    const spared = await payAgain('spared')
    expect(spared.attempts).toMatchObject([
      { processorId: second, decision: { dropped: [{ processorId: first, reason: 'circuit_open' }] } },
    ])
    clock.advance(30_000)
    expect((await payAgain('later')).attempts).toHaveLength(2)
  })
})

test.for(['lost_card', 'stolen_card', 'closed_account', 'fraudulent', 'pickup_card', 'invalid_number'] as const)(
  'a card that was declined as %s is never tried elsewhere',
  (code) => {
    expect(declined(code, { reference: null }).kind).toBe('hard')
  },
)

test.for(['03', '21'])('a card that was declined with the advice %s is never tried elsewhere', (advice) => {
  expect(declined('do_not_honor', { reference: null, advice }).kind).toBe('hard')
})
