import { contract, type Payment } from '@tillwright/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newProcessor } from '../../test/new-processor.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { DOUBLE_KEY, startStripeDouble, type StripeDouble } from '../../test/processors/stripe/stripe-double.ts'
import { recurringVariant } from '../../test/subscribe.ts'
import { sharedPlatform } from '../../test/test-platform.ts'
import { commit } from '../http/operations/commit.ts'
import { insertProcessor } from '../processors/processors.ts'
import { sealProcessorSecret } from '../processors/settings.ts'
import { stripe } from '../processors/stripe/stripe.ts'

const platform = sharedPlatform()
const CONFIRM = /\/confirm$/
const STRIPE = 'processor_stripe'

let double: StripeDouble
let paymentFlowId: string
let simulated: string
beforeAll(async () => {
  double = await startStripeDouble()
  const { services, local, clock } = platform()
  const { accountId } = local
  const sealedSecret = sealProcessorSecret(DOUBLE_KEY, STRIPE, services)
  const settings = stripe.settings.parse({ apiUrl: double.url })
  const processor = { id: STRIPE, accountId, name: 'Stripe', driver: 'stripe' as const, settings, sealedSecret }
  await commit([insertProcessor(processor, clock.now())], services)
  simulated = await newProcessor(platform())
  const flow = await platform().call(contract.paymentFlows.create, {
    body: {
      data: {
        name: 'Stripe, then another',
        strategy: 'cascade',
        fallbackMode: true,
        maxFallbackRetries: 1,
        processorConfigs: [{ processorId: STRIPE }],
        fallbackProcessorConfigs: [{ processorId: simulated }],
      },
    },
  })
  paymentFlowId = flow.id
})
afterAll(() => double.stop())

async function pay(number?: string) {
  const instrument = await newInstrument(platform(), number === undefined ? {} : { number })
  return requestPayment(platform(), { paymentInstrumentId: instrument.id, paymentFlowId })
}

const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
const asked = ({ attempts }: Payment) => attempts.map(({ processorId }) => processorId)

/** Amounts that Stripe has taken for a payment's attempts. */
function takenAtStripe({ attempts }: Payment): number[] {
  const ids = new Set(attempts.map(({ id }) => id))
  const own = [...double.books.intents.values()].filter(({ metadata }) => ids.has(metadata['attempt'] ?? ''))
  return own.map((intent) => intent.amount_received)
}

test('a payment is completed with what Stripe calls it', async () => {
  const payment = contract.payments.create.response.parse((await pay()).body)
  expect([payment.status, asked(payment)]).toEqual(['succeeded', [STRIPE]])
  expect(takenAtStripe(payment)).toEqual([payment.amount])
  const { db } = platform().services
  const [row] = await db.read('SELECT reference FROM payment_attempts WHERE payment_id = ?', [payment.id])
  expect(row?.['reference']).toMatch(/^pi_/)
})

const tokensOf = async (paymentInstrumentId: string) =>
  (await platform().call(contract.paymentInstruments.get, { params: { paymentInstrumentId } })).processorTokens

test('an instrument tells what Stripe holds of its card since the latest payment', async () => {
  const { id: paymentInstrumentId } = await newInstrument(platform())
  const held = () => tokensOf(paymentInstrumentId)
  const methodOf = async () => {
    const answer = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
    const { attempts } = contract.payments.create.response.parse(answer.body)
    const intents = [...double.books.intents.values()]
    return intents.find(({ metadata }) => metadata['attempt'] === attempts[0]?.id)?.payment_method ?? ''
  }
  expect(await held()).toEqual([])
  const token = async () => ({
    processorId: STRIPE,
    processorType: 'stripe',
    token: `pm_****${(await methodOf()).slice(3).slice(-4)}`,
    status: 'used',
    createdAt: new Date(platform().clock.now()).toISOString(),
  })
  const first = await token()
  expect(await held()).toEqual([first])
  platform().clock.advance(60_000)
  const second = await token()
  expect(await held()).toEqual([second])
  expect(second.createdAt).not.toBe(first.createdAt)
})

test('a declined card is not told as held', async () => {
  const { id: paymentInstrumentId } = await newInstrument(platform(), { number: '4000000000009979' })
  await requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
  expect(await tokensOf(paymentInstrumentId)).toEqual([])
})

test('an answer of Stripe’s that is lost for good leaves the payment processing, and asking completes it once', async () => {
  const calm = double.disturb(CONFIRM, 'reset_after')
  const payment = contract.payments.create.response.parse((await pay()).body)
  calm()
  expect([payment.status, asked(payment)]).toEqual(['processing', [STRIPE]])
  await expect
    .poll(async () => (platform().clock.advance(5_001), (await read(payment.id)).status), { timeout: 60_000 })
    .toBe('succeeded')
  expect(takenAtStripe(await read(payment.id))).toEqual([payment.amount])
  expect(asked(await read(payment.id))).toEqual([STRIPE])
})

test('a year of a subscription: Stripe gets the trial’s agreement, and each renewal under it', async () => {
  const { call, clock } = platform()
  const { id: paymentInstrumentId } = await newInstrument(platform())
  const lines = [{ variantId: await recurringVariant(platform()), trialDays: 14 }]
  const before = double.requests.length
  const bought = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId, amount: undefined, lines })
  const { subscriptions } = contract.payments.create.response.parse(bought.body)
  const params = { subscriptionId: subscriptions[0]?.subscriptionId ?? '' }
  for (let month = 0; month < 12; month++) {
    const { currentPeriodEnd } = await call(contract.subscriptions.get, { params })
    clock.advance(Date.parse(currentPeriodEnd) - clock.now())
    const start = async () => {
      clock.advance(5_001)
      return (await call(contract.subscriptions.get, { params })).currentPeriodStart
    }
    await expect.poll(start, { timeout: 60_000 }).toBe(currentPeriodEnd)
  }
  const sent = double.requests.slice(before).map(({ path, form }) => ({ path, form: Object.fromEntries(form) }))
  expect(sent.filter(({ path }) => path === 'setup_intents').map(({ form }) => form)).toMatchObject([
    { usage: 'off_session' },
  ])
  const renewals = sent.filter(({ path }) => path.startsWith('payment_intents/') && CONFIRM.test(path))
  expect(renewals.map(({ form }) => form['off_session'])).toEqual(Array.from({ length: 12 }, () => 'recurring'))
  const cards = sent.filter(({ path }) => path === 'payment_methods').map(({ form }) => 'card[cvc]' in form)
  expect(cards).toEqual([true, ...Array.from({ length: 12 }, () => false)])
})

test('a trial at Stripe, which shows no id of the network for it, takes nothing back of an agreement that has one', async () => {
  const { id: paymentInstrumentId } = await newInstrument(platform())
  const consent = async () =>
    (await platform().call(contract.paymentInstruments.get, { params: { paymentInstrumentId } })).consent
  await requestPayment(platform(), { paymentInstrumentId, paymentFlowId, setupFutureUsage: 'off_session' })
  const agreed = await consent()
  expect(agreed?.networkTransactionId).toMatch(/^\d{15}$/)
  const lines = [{ variantId: await recurringVariant(platform()), trialDays: 14 }]
  await requestPayment(platform(), { paymentInstrumentId, paymentFlowId, amount: undefined, lines })
  expect(await consent()).toEqual(agreed)
})

test('what Stripe has not begun is tried at the next processor, and never at Stripe again', async () => {
  const calm = double.disturb(/\/payment_intents$/, 'too_many')
  const payment = contract.payments.create.response.parse((await pay()).body)
  calm()
  expect([payment.status, asked(payment)]).toEqual(['succeeded', [STRIPE, simulated]])
  expect(takenAtStripe(payment)).toEqual([])
})

test('a card that Stripe declines for good is not tried elsewhere', async () => {
  const { status, error } = await pay('4000000000009979')
  expect([status, error.code, error.declineCode]).toEqual([402, 'card_declined', 'stolen_card'])
  expect(asked(await read(error.paymentId ?? ''))).toEqual([STRIPE])
})

test('neither a card number nor the key stands in a line of the log', () => {
  const logged = platform().logged.join('\n')
  expect(logged).toContain('Stripe gave no conclusive answer')
  for (const secret of [DOUBLE_KEY, '4242424242424242', '4000000000009979']) expect(logged).not.toContain(secret)
})
