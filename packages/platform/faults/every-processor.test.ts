import { contract, type NewPaymentMethod, type Payment, type PaymentInstrument } from '@tillwright/contract'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { connectProcessor, newProcessor } from '../test/new-processor.ts'
import { requestPayment } from '../test/pay-with-card.ts'
import { balancesOf } from '../test/payments/money-of.ts'
import { type ProcessorDouble, processorDoubles, type SentEvent } from '../test/processors/processor-doubles.ts'
import { startTestPlatform, type TestPlatform } from '../test/test-platform.ts'

/**
 * How many payments there are in all, at one platform, whose clock goes on by weeks, and at once. In a soak platforms have more,
 * because to start one and let weeks go by takes as long as some dozens of payments.
 */
const [PAYMENTS, AT_ONE_PLATFORM, AT_ONCE] = soaks ? [100_000, 500, 20] : [60, 60, 6]
/** The same run each time, unless told otherwise. */
const SEED = Number(process.env['SEED'] ?? 20_302)
const DAY_MS = 86_400_000

const real = ['stripe', 'adyen', 'checkout', 'paypal'] as const
type Real = (typeof real)[number]
type Doubles = Record<Real, ProcessorDouble>

/** The order in which a flow tries processors; those that cannot take a method are passed over. */
const flows: readonly (readonly (Real | 'simulator')[])[] = [
  ['stripe', 'adyen', 'checkout', 'paypal', 'simulator'],
  ['adyen', 'checkout', 'stripe', 'paypal', 'simulator'],
  ['checkout', 'simulator', 'stripe', 'paypal', 'adyen'],
]

const debit = {
  type: 'sepa_debit',
  iban: 'AT611904300234573201',
  holderName: 'Ada Byrne',
  mandateAccepted: true,
} as const
const methods: readonly (NewPaymentMethod | null)[] = [
  null,
  null,
  null,
  { type: 'ideal' },
  { type: 'paypal' },
  debit,
  { type: 'voucher' },
]
/** Mostly paid, else declined for now, or for good. */
const GOOD = 'tok_visa'
const cards = [GOOD, GOOD, GOOD, GOOD, 'tok_declined_insufficient_funds', 'tok_declined_expired_card'] as const

/** How one payment goes. `fault` befalls the next request to `faultAt`, whosever that is. */
const course = fc.record({
  flow: fc.nat({ max: flows.length - 1 }),
  method: fc.constantFrom(...methods),
  card: fc.constantFrom(...cards),
  isManual: fc.boolean(),
  fault: fc.constantFrom(null, null, 'server_error', 'too_many', 'reset_before', 'reset_after'),
  faultAt: fc.constantFrom(...real),
  buyer: fc.constantFrom('pays', 'pays', 'refuses', 'leaves'),
  comesBack: fc.boolean(),
  after: fc.array(fc.constantFrom('capture', 'capture a part', 'refund', 'refund a part', 'void'), { maxLength: 3 }),
  /** Asked once nothing waits any more. */
  later: fc.constantFrom(null, 'refund', 'refund a part'),
  /** How often its event is sent, if it has one. */
  deliveries: fc.constantFrom(0, 1, 1, 2),
})
type Asked = Course['after'][number]
type Course = typeof course extends fc.Arbitrary<infer Each> ? Each : never

test.for(Array.from({ length: PAYMENTS / AT_ONE_PLATFORM }, (_, at) => SEED + at))(
  'payments of every method at every processor, with lost requests and events, take money once and agree with the books of all (seed %i)',
  { timeout: 3_600_000 },
  async (seed) => {
    const doubles = await openDoubles()
    // The built-in driver of PayPal's trusts the roots of Node alone.
    const platform = await startTestPlatform({ processors: [doubles.paypal.driver] })
    onTestFinished(() => platform.remove())
    await tellNobody(platform)
    const flowIds = await openFlows(doubles, platform)
    const courses = fc.sample(course, { numRuns: AT_ONE_PLATFORM, seed })
    const street: Street = { platform, doubles, flowIds, again: [] }
    const laters: Later[] = []
    for (let from = 0; from < courses.length; from += AT_ONCE) {
      const some = courses.slice(from, from + AT_ONCE)
      const ids = await Promise.all(some.map((each) => begin(each, street)))
      await bringEvents(some, street)
      laters.push(...some.flatMap(({ later }, at) => laterOf(later, ids[at] ?? null)))
    }
    await completeAll(street)
    for (const { what, paymentId } of laters) await ask(what, paymentId, platform)
    await completeAll(street)
    await judge(street)
  },
)

/** Without the shop's endpoint, where nobody listens: what it is not told would be sent again for all the weeks. */
async function tellNobody({ call }: TestPlatform): Promise<void> {
  const { data } = await call(contract.webhookEndpoints.list, { query: {} })
  for (const { id: endpointId } of data) await call(contract.webhookEndpoints.delete, { params: { endpointId } })
}

interface Later {
  what: Asked
  paymentId: string
}

function laterOf(what: Course['later'], paymentId: string | null): Later[] {
  return what === null || paymentId === null ? [] : [{ what, paymentId }]
}

interface Street {
  platform: TestPlatform
  doubles: Doubles
  flowIds: readonly string[]
  /** Events that came too early, and are sent again. */
  again: Delivery[]
}

interface Delivery {
  name: Real
  event: (nowMs: number) => SentEvent
}

async function openDoubles(): Promise<Doubles> {
  const [stripe, adyen, checkout, paypal] = await Promise.all([
    processorDoubles.stripe(),
    processorDoubles.adyen(),
    processorDoubles.checkout(),
    processorDoubles.paypal(),
  ])
  const doubles = { stripe, adyen, checkout, paypal }
  onTestFinished(() => Object.values(doubles).forEach((double) => double.stop()))
  return doubles
}

const idOf = (name: Real) => `processor_${name}`

async function openFlows(doubles: Doubles, platform: TestPlatform): Promise<string[]> {
  for (const name of real) await connectProcessor(platform, { id: idOf(name), ...doubles[name] })
  const simulatorId = await newProcessor(platform)
  return Promise.all(
    flows.map(async (order) => {
      const [first, ...others] = order.map((name) => ({ processorId: name === 'simulator' ? simulatorId : idOf(name) }))
      const data = {
        name: order.join(', '),
        strategy: 'cascade' as const,
        pickProcessorStrategy: 'ordered' as const,
        fallbackMode: true,
        maxFallbackRetries: others.length,
        processorConfigs: first === undefined ? [] : [first],
        fallbackProcessorConfigs: others,
      }
      return (await platform.call(contract.paymentFlows.create, { body: { data } })).id
    }),
  )
}

/**
 * Pays, decides at the bank, and asks for what comes after. Refusals are as good as successes: the books have to agree. `null`
 * for a payment whose answer was not on record in time, as on a machine that has other work; it is left to recovery.
 */
async function begin(each: Course, street: Street): Promise<string | null> {
  const { platform, doubles, flowIds } = street
  const { method, card: serviceToken, isManual, fault, faultAt, after } = each
  const { id: paymentInstrumentId, customerId } = await newInstrument(serviceToken, platform)
  const calm = fault === null ? null : doubles[faultAt].disturb(/./, fault, 1)
  const asked =
    method === null
      ? { paymentInstrumentId, captureMethod: isManual ? 'manual' : 'automatic' }
      : {
          customerId,
          paymentMethod: method,
          ...(/ideal|paypal/.test(method.type) && { returnUrl: 'https://shop.example/' }),
        }
  const answer = await requestPayment(platform, { ...asked, currency: 'EUR', paymentFlowId: flowIds[each.flow] })
  if (answer.status === 503 && answer.error.code === 'unavailable') return null
  expect([201, 402], answer.text).toContain(answer.status)
  const paymentId =
    answer.status === 201 ? contract.payments.create.response.parse(answer.body).id : answer.error.paymentId
  if (paymentId === undefined) throw new Error(answer.text)
  await decide(await read(paymentId, platform), each, street)
  for (const what of after) await ask(what, paymentId, platform)
  calm?.()
  return paymentId
}

/** Each time with a new customer, so that none has a favourite processor. */
async function newInstrument(serviceToken: string, { request, local }: TestPlatform): Promise<PaymentInstrument> {
  const body = { serviceToken, storeId: local.storeId }
  const answer = await request('POST', '/api/public/v1/payment-instruments/create-from-token', { body })
  return contract.paymentInstruments.createFromToken.response.parse(answer.body).paymentInstrument
}

async function read(paymentId: string, { request }: TestPlatform): Promise<Payment> {
  const { body } = await request('GET', `/api/payments/v1/payments/${paymentId}`)
  return contract.payments.get.response.parse(body)
}

/** The buyer decides where they were led to. At the simulator's page they may come back, too. */
async function decide(payment: Payment, { buyer, comesBack }: Course, { doubles }: Street): Promise<void> {
  if (buyer === 'leaves' || payment.expiresAt === null) return
  for (const { id } of payment.attempts) {
    for (const name of real) await doubles[name].decide(id, buyer === 'pays')
  }
  const url = payment.nextAction?.type === 'redirect' ? payment.nextAction.url : payment.paymentMethod.voucher?.url
  if (url?.includes('/acs/') !== true) return
  const choice = new URLSearchParams({ choice: buyer === 'pays' ? 'pay' : 'cancel' })
  const { headers } = await fetch(url, { method: 'POST', body: choice, redirect: 'manual' })
  const back = headers.get('location')
  if (comesBack && back !== null) await fetch(back, { redirect: 'manual' })
}

async function ask(what: Asked, paymentId: string, { request }: TestPlatform): Promise<void> {
  const body = what.endsWith('a part') ? { amount: 700 } : {}
  const [verb] = what.split(' ')
  const answer = await request('POST', `/api/payments/v1/payments/${paymentId}/${verb === 'void' ? 'void' : verb}`, {
    body,
  })
  if (answer.status === 400) expect(answer.error.code).toBe('amount_invalid') // more than is left
  else expect([200, 402, 409, 422, 502, 503], answer.text).toContain(answer.status)
}

/** Events come in any order, twice or not at all, but for Adyen's, who sends until one is taken. */
async function bringEvents(courses: readonly Pick<Course, 'deliveries'>[], street: Street): Promise<void> {
  const sent = real.flatMap((name) => street.doubles[name].events().map((event) => ({ name, event })))
  const often = sent.flatMap((each, at) => {
    const times = courses[at % courses.length]?.deliveries ?? 1
    return Array.from({ length: each.name === 'adyen' ? Math.max(times, 1) : times }, () => each)
  })
  for (const delivery of [...street.again.splice(0), ...often.toReversed()]) await deliver(delivery, street)
}

async function deliver({ name, event }: Delivery, street: Street): Promise<void> {
  const { platform, doubles } = street
  const { local, clock, request } = platform
  const path = `/api/processors/v1/${local.accountId}/${idOf(name)}/${doubles[name].driver.name}-events`
  const { status } = await request('POST', path, { key: '', ...event(clock.now()) })
  if (status !== 200) street.again.push({ name, event })
  expect([200, 503]).toContain(status)
}

/** Time goes by until nothing waits: at first by seconds, then by days, until the last voucher is out of date. */
async function completeAll(street: Street): Promise<void> {
  const { services, clock } = street.platform
  let stepMs = 5_001
  const isOpen = async () => {
    await bringEvents([{ deliveries: 1 }], street)
    clock.advance(stepMs)
    stepMs = Math.min(DAY_MS, Math.ceil(stepMs * 1.5))
    return services.db.read(
      `SELECT id, status FROM payments WHERE status IN ('created', 'processing', 'requires_action')
        UNION ALL SELECT payment_id, kind FROM payment_follow_ups WHERE status = 'pending'`,
      [],
    )
  }
  await expect.poll(isOpen, { timeout: 600_000 }).toEqual([])
}

async function judge({ platform, doubles }: Street): Promise<void> {
  const simulated = await platform.services.db.read('SELECT * FROM simulator_charges', [])
  const booked = [
    ...real.flatMap((name) => doubles[name].booked()),
    ...simulated.map((row) => ({
      attemptId: String(row['attempt_id']),
      captured: Number(row['captured']),
      refunded: Number(row['refunded']),
      isHeld: Number(row['authorised']) > 0 && row['captured'] === 0 && row['closed'] === 0,
    })),
  ]
  const ids = await platform.services.db.read('SELECT id FROM payments', [])
  const payments = await Promise.all(ids.map(({ id }) => read(String(id), platform)))
  const known = new Set(payments.flatMap(({ attempts }) => attempts.map(({ id }) => id)))
  expect(booked.filter(({ attemptId }) => !known.has(attemptId))).toEqual([])
  for (const payment of payments) {
    const own = booked.filter(({ attemptId }) => payment.attempts.some(({ id }) => id === attemptId))
    const sum = (of: 'captured' | 'refunded') => own.reduce((all, each) => all + each[of], 0)
    const books = {
      charged: own.filter(({ captured }) => captured > 0).length <= 1,
      captured: sum('captured'),
      refunded: sum('refunded'),
      isHeld: own.some(({ isHeld }) => isHeld),
    }
    const { status, capturedAmount: captured, refundedAmount: refunded } = payment
    expect(books, JSON.stringify(payment)).toEqual({
      charged: true,
      captured,
      refunded,
      isHeld: status === 'authorized',
    })
    const { processor = 0, sales = 0, refunds = 0, ...others } = await balancesOf(payment.id, platform)
    expect([processor, 0 - sales, refunds, others], payment.id).toEqual([captured - refunded, captured, refunded, {}])
  }
  expect(real.flatMap((name) => doubles[name].problems)).toEqual([])
}
