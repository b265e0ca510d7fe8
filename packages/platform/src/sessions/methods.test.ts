import { contract, type Payment, type PaymentMethodType, paymentMethodType } from '@tillwright/contract'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginSession, buyersPage, type BuyersPage } from '../../test/buyer-session.ts'
import { newFunnel, newPreviewSession } from '../../test/new-funnel.ts'
import { driverWith } from '../../test/payments/driver-with.ts'
import { deployPlugin } from '../../test/plugins/deploy-plugin.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'
import { commit } from '../http/operations/commit.ts'
import { insertProcessor } from '../processors/processors.ts'
import type { Capabilities, ProcessorDriver } from '../processors/processor-driver.ts'
import { simulatorDriver } from '../processors/simulator.ts'

const declined = {
  outcome: 'declined',
  declineCode: 'generic_decline',
  kind: 'hard',
  advice: null,
  reference: null,
} as const

/** A driver that takes these alone, and declines all of it. */
function decliner(name: string, takes: Pick<Capabilities, 'cards' | 'methods'>): ProcessorDriver {
  const authorise = async () => declined
  const capabilities = { ...simulatorDriver.capabilities, ...takes }
  return { ...simulatorDriver, name, capabilities, open: async () => driverWith({ authorise }) }
}

const drivers = [
  decliner('cards_alone', { cards: ['number'], methods: [] }),
  decliner('dutch', { cards: [], methods: [{ method: 'ideal', currencies: ['EUR'], countries: ['NL'] }] }),
  decliner('anywhere', { cards: [], methods: [{ method: 'paypal', currencies: null, countries: null }] }),
  decliner('continental', {
    cards: ['number'],
    methods: [
      { method: 'sepa_debit', currencies: ['EUR'], countries: ['NL', 'DE'] },
      { method: 'voucher', currencies: ['EUR', 'USD'], countries: ['DE'] },
    ],
  }),
]

/** The methods that involve a processor. */
const charged = paymentMethodType.exclude(['none']).options

const IBAN = 'AT61 1904 3002 3457 3201'

const asked = {
  ideal: { type: 'ideal' },
  paypal: { type: 'paypal' },
  sepa_debit: { type: 'sepa_debit', iban: IBAN, holderName: 'Ada Byrne', mandateAccepted: true },
  voucher: { type: 'voucher' },
  none: { type: 'none' },
} as const

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, processors: drivers })
  let shop: { funnelId: string; url: string; variantId: string; monthlyId: string; freeId: string }

  beforeAll(async () => {
    const { call, local } = platform()
    const { url, pluginId } = await deployPlugin(platform())
    const { id: funnelId } = await newFunnel(platform(), {
      steps: [
        { type: 'checkout', name: 'Checkout', path: '/checkout', pluginId, pageId: 'checkout' },
        { type: 'thank_you', name: 'Thank you', path: '/thank-you' },
      ],
    })
    const currencyOptions = { USD: { amount: 900 }, EUR: { amount: 800 } }
    const monthly = { recurring: true, interval: 'month' } as const
    const variants = [
      { name: 'White', prices: [{ currencyOptions }] },
      { name: 'Every month', prices: [{ currencyOptions, ...monthly }] },
      { name: 'Sample', prices: [{ currencyOptions: { USD: { amount: 0 }, EUR: { amount: 0 } } }] },
    ]
    const { productId } = await call(contract.products.create, {
      body: { storeId: local.storeId, name: 'Mug', variants },
    })
    const product = await call(contract.products.get, { params: { productId } })
    const [variantId = '', monthlyId = '', freeId = ''] = product.variants.map(({ id }) => id)
    shop = { funnelId, url, variantId, monthlyId, freeId }
  })

  /** A page of the funnel with an order in it. */
  async function filled({ currency = 'EUR', variantId = shop.variantId, country = 'NL', quantity = 1 } = {}) {
    const { token } = await beginSession(platform(), { funnelId: shop.funnelId })
    const page = await buyersPage(platform(), token)
    await page.call(contract.session.setAddress, { body: { billingAddress: { country } } })
    const session = await page.call(contract.session.setLines, { body: { currency, lines: [{ variantId, quantity }] } })
    return { ...page, session }
  }

  const methodsOf = async (page: BuyersPage) =>
    (await page.call(contract.session.findOwnMethods, {})).data.map(({ type }) => type)
  const methodsFor = async (body: { currency: string; amount: number; country?: string }) => {
    const { storeId } = platform().local
    const { data } = await platform().call(contract.session.findMethods, { body: { storeId, ...body } })
    return data.map(({ type }) => type)
  }

  function pay(page: BuyersPage, type: PaymentMethodType, change: object = {}) {
    const { amount, currency } = page.session.order
    const way = type === 'card' ? { serviceToken: 'tok_visa' } : { paymentMethod: asked[type] }
    return page.send('POST', '/pay', {
      body: { ...way, expectedAmount: amount, expectedCurrency: currency, ...change },
    })
  }

  /** Makes the buyer's choice on the bank's page; returns the address that their browser is sent to. */
  async function chooseAtBank({ nextAction }: Pick<Payment, 'nextAction'>, choice: string): Promise<string | null> {
    const url = nextAction?.type === 'redirect' ? nextAction.url : ''
    const body = new URLSearchParams({ choice })
    const left = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    return (await fetch(left.headers.get('location') ?? '', { redirect: 'manual' })).headers.get('location')
  }

  test('what is listed is taken, and what is not listed is refused', async () => {
    const processorIds = drivers.map(({ name }) => `processor_${name}`)
    const { accountId } = platform().local
    const nowMs = platform().clock.now()
    const inserts = drivers.map(({ name }) =>
      insertProcessor({ id: `processor_${name}`, accountId, name, driver: name }, nowMs),
    )
    await commit(inserts, platform().services)
    const flow = await platform().call(contract.paymentFlows.get, {
      params: { paymentFlowId: platform().local.paymentFlowId },
    })
    let { revision } = flow
    const change = async (processorConfigs: typeof flow.processorConfigs) => {
      const body = { revision, processorConfigs, fallbackProcessorConfigs: [] }
      const params = { paymentFlowId: flow.id }
      ;({ revision } = await platform().call(contract.paymentFlows.update, { params, body }))
    }
    const routed = fc.record({
      taking: fc.subarray(processorIds, { minLength: 1 }),
      disabled: fc.subarray(processorIds),
      currency: fc.constantFrom('EUR', 'USD'),
      country: fc.constantFrom('NL', 'DE', 'US'),
      quantity: fc.integer({ min: 1, max: 20 }),
    })
    const property = fc.asyncProperty(routed, async ({ taking, disabled, ...order }) => {
      await change(
        taking.map((processorId) => ({
          processorId,
          weight: 1,
          nonStickable: false,
          disabled: disabled.includes(processorId),
        })),
      )
      const page = await filled(order)
      const listed = await methodsOf(page)
      const { currency, amount } = page.session.order
      expect(await methodsFor({ currency, amount, country: order.country })).toEqual(listed)
      for (const type of charged) {
        const { error } = await pay(page, type)
        expect([type, error.code]).toEqual([type, listed.includes(type) ? 'card_declined' : 'no_eligible_processor'])
      }
    })
    await fc.assert(property, { numRuns: 8 })
    await change(flow.processorConfigs)
  })

  test('the card comes first, and processors are not revealed', async () => {
    const { storeId, publishableKey } = platform().local
    const body = { storeId, currency: 'EUR', amount: 800 }
    const answer = await platform().pageRequest('POST', contract.session.findMethods.path, {
      key: publishableKey,
      body,
    })
    const data = charged.map((type) => ({ type }))
    expect([answer.status, answer.body]).toEqual([200, { data }])
    expect(data[0]).toEqual({ type: 'card' })
    expect(await methodsFor({ currency: 'USD', amount: 900 })).toEqual(['card', 'paypal'])
  })

  test('a price that recurs is paid with a card alone', async () => {
    const page = await filled({ variantId: shop.monthlyId })
    expect(await methodsOf(page)).toEqual(['card'])
    const answer = await pay(page, 'sepa_debit')
    expect([answer.status, answer.error.param]).toEqual([400, 'paymentMethod'])
  })

  test('an order that costs nothing needs no payment, and no buyer is led to a bank for it', async () => {
    const page = await filled({ variantId: shop.freeId })
    expect(await methodsOf(page)).toEqual(['none'])
    for (const type of ['ideal', 'paypal', 'sepa_debit', 'voucher'] as const) {
      const { status, error } = await pay(page, type)
      expect([status, error.code, error.param]).toEqual([400, 'parameter_invalid', 'paymentMethod'])
      expect(error.message).toContain('send { "type": "none" }')
    }
    const payment = contract.session.pay.response.parse((await pay(page, 'none')).body)
    expect(payment).toMatchObject({ status: 'succeeded', amount: 0, paymentMethod: { type: 'none', sepaDebit: null } })
    const { order, paymentInstruments } = await page.call(contract.session.get, {})
    expect([order.status, paymentInstruments]).toEqual(['paid', []])
    const paid = await platform().call(contract.payments.get, { params: { paymentId: payment.id } })
    expect(paid).toMatchObject({ paymentInstrumentId: null, attempts: [], paymentMethod: { type: 'none' } })
  })

  test('a page with a card form alone takes an order that costs nothing with the card, which is not charged', async () => {
    const page = await filled({ variantId: shop.freeId })
    const payment = contract.session.pay.response.parse((await pay(page, 'card')).body)
    expect(payment).toMatchObject({ status: 'succeeded', paymentMethod: { type: 'none' } })
    expect((await page.call(contract.session.get, {})).paymentInstruments).toHaveLength(1)
  })

  test('an order that costs something is not had for nothing', async () => {
    const { status, error } = await pay(await filled(), 'none')
    expect([status, error.code, error.param]).toEqual([400, 'parameter_invalid', 'paymentMethod'])
    expect(error.message).toContain('this one costs 800 EUR')
    const monthly = await filled({ variantId: shop.monthlyId })
    expect((await pay(monthly, 'none')).error.message).toContain('a recurring price is paid with a card')
  })

  test('a buyer who pays at their bank comes back to the page of their step, and goes on', async () => {
    const page = await filled()
    const payment = contract.session.pay.response.parse((await pay(page, 'ideal')).body)
    expect(payment).toMatchObject({ status: 'requires_action', paymentMethod: { type: 'ideal' } })
    expect((await page.call(contract.session.get, {})).payment).toEqual(payment)
    expect(await chooseAtBank(payment, 'pay')).toBe(`${shop.url}/checkout?paymentId=${payment.id}`)
    const { order, step } = await page.call(contract.session.get, {})
    expect(order.status).toBe('paid')
    const after = await page.call(contract.session.next, { body: { stepId: step?.id ?? '' } })
    expect(after.step?.type).toBe('thank_you')
  })

  test('a buyer who cancels at their bank can pay with something else', async () => {
    const page = await filled()
    const payment = contract.session.pay.response.parse((await pay(page, 'ideal')).body)
    await chooseAtBank(payment, 'cancel')
    const { order, payment: cancelled } = await page.call(contract.session.get, {})
    expect([order.status, cancelled?.declineCode]).toEqual(['open', 'buyer_canceled'])
    expect((await pay(page, 'card')).status).toBe(201)
  })

  test('money that comes after its time is given back, and the order it was for is still to be paid', async () => {
    const page = await filled()
    const payment = contract.session.pay.response.parse((await pay(page, 'ideal')).body)
    await chooseAtBank(payment, 'late')
    const read = () => platform().call(contract.payments.get, { params: { paymentId: payment.id } })
    await expect
      .poll(async () => (platform().clock.advance(10_000), (await read()).status), { timeout: 60_000 })
      .toBe('refunded')
    const { order, payment: shown, step, thankYouUrl } = await page.call(contract.session.get, {})
    expect([order.status, order.amount, shown?.status, thankYouUrl]).toEqual(['open', 800, 'declined', null])
    const left = await page.send('POST', '/next', { body: { stepId: step?.id } })
    expect([left.status, left.error.code]).toEqual([409, 'state_conflict'])
    expect((await pay(page, 'card')).status).toBe(201)
    expect((await page.call(contract.session.get, {})).order.status).toBe('paid')
  })

  test('a voucher tells its page the code', async () => {
    const page = await filled()
    const payment = contract.session.pay.response.parse((await pay(page, 'voucher')).body)
    expect(payment).toMatchObject({ status: 'processing', paymentMethod: { voucher: { code: expect.any(String) } } })
    expect((await page.call(contract.session.get, {})).order.status).toBe('pending')
  })

  test('no buyer is led away from a page they could not return to', async () => {
    const { token } = await beginSession(platform(), { storeId: platform().local.storeId })
    const preview = await newPreviewSession(platform())
    for (const opened of [token, preview.token]) {
      const page = await buyersPage(platform(), opened)
      const lines = [{ variantId: shop.variantId, quantity: 1 }]
      const session = await page.call(contract.session.setLines, { body: { currency: 'EUR', lines } })
      expect(await methodsOf(page)).toEqual(['card', 'sepa_debit', 'voucher'])
      const answer = await pay({ ...page, session }, 'ideal')
      expect([answer.status, answer.error.param]).toEqual([409, 'paymentMethod'])
    }
  })

  test.for([
    [{ serviceToken: 'tok_visa' }, 'serviceToken'],
    [{ paymentMethod: undefined }, 'serviceToken'],
    [{ expectedCurrency: undefined }, 'expectedCurrency'],
    [{ securityCodeToken: 'code' }, 'securityCodeToken'],
    [{ paymentMethod: { type: 'sepa_debit', iban: IBAN, holderName: 'A' } }, 'paymentMethod.mandateAccepted'],
  ] as const)('%j is refused for %s', async ([change, param]) => {
    const answer = await pay(await filled(), 'voucher', change)
    expect([answer.status, answer.error.param]).toEqual([400, param])
  })

  test('a store that is not the key’s is not found, and nothing is offered for no amount', async () => {
    const body = { storeId: 'store_none', currency: 'EUR', amount: 1 }
    const ask = (sent: object) => platform().pageRequest('POST', contract.session.findMethods.path, { body: sent })
    expect((await ask(body)).error.code).toBe('resource_missing')
    const { storeId } = platform().local
    expect((await ask({ ...body, storeId, amount: 0 })).error.param).toBe('amount')
  })
})
