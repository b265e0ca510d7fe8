import { contract } from '@tillwright/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newInstrument, pay } from '../../../packages/platform/test/pay-with-card.ts'
import { DOUBLE_KEY, startStripeDouble } from '../../../packages/platform/test/processors/stripe/stripe-double.ts'
import { sharedPlatform, ruleEngines } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  /** Pays until a processor has been asked: all payments that went to it. */
  const paidThrough = async (processorId: string | undefined) => {
    const { id } = await newInstrument(platform())
    for (;;) {
      const payment = await pay(platform(), id)
      if (payment.attempts[0]?.processorId === processorId) return [payment.id]
    }
  }

  /** Whatever the flow was before, its first processor has had an attempt lately, with a card of its own. */
  const payThroughFirst = async () => {
    const params = { paymentFlowId: platform().local.paymentFlowId }
    const { revision, processorConfigs } = await platform().call(contract.paymentFlows.get, { params })
    const first = processorConfigs.map((config, index) => ({ ...config, weight: index === 0 ? 1 : 0 }))
    await platform().call(contract.paymentFlows.update, { params, body: { revision, processorConfigs: first } })
    const payment = await pay(platform(), (await newInstrument(platform(), { number: '5555555555554444' })).id)
    expect(payment.attempts[0]?.processorId).toBe(first[0]?.processorId)
  }

  test('a flow is edited in its picture, after a replay of past payments says what it would have moved, and the next payment follows it', async () => {
    const { call, local } = platform()
    const params = { paymentFlowId: local.paymentFlowId }
    const before = await call(contract.paymentFlows.get, { params })
    const north = await paidThrough(before.processorConfigs[0]?.processorId)
    const { page, complaints } = await signedIn(platform())
    await page.getByRole('link', { name: 'Payment flows' }).click()
    await page.getByRole('link', { name: before.name }).click()
    await page.getByRole('img', { name: /Routing.*North 50%; South 50%/ }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Weight of North').fill('0')
    await page.getByLabel('Weight of South').fill('4')
    await page.getByLabel('Limit attempts').check()
    await page.getByLabel('Attempts per card').fill('2')
    await page.getByRole('img', { name: /North 0%; South 100%/ }).waitFor()
    const changes = page.getByRole('listitem')
    await changes.filter({ hasText: 'Tried first: South' }).getByText('100% of payments').waitFor()
    await changes.filter({ hasText: 'Attempts per card' }).getByText('2', { exact: true }).waitFor()
    await page.getByLabel('trusted merchant').check()
    await page.getByLabel('low value').check()
    await page.getByLabel('Ask for it').selectOption('with the authorization, without 3-D Secure')
    await changes.filter({ hasText: 'Exemptions' }).getByText('trusted merchant, low value').waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    const all = (await call(contract.payments.list, { query: {} })).data.length
    await page.getByText(`Of the last ${all} payments, ${north.length} would have gone elsewhere.`).waitFor()
    await page.getByText('North → South').click()
    await page.getByRole('link', { name: north[0] ?? '' }).waitFor()
    await page.getByLabel('Weight of South').fill('3')
    await page.getByText('The draft has changed since.').waitFor()
    await page.getByLabel('Weight of South').fill('4')
    expect((await call(contract.paymentFlows.get, { params })).revision).toBe(before.revision)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    const after = await call(contract.paymentFlows.get, { params })
    expect(after.processorConfigs.map(({ weight }) => weight)).toEqual([0, 4])
    expect(after.abuseDetectionConfig).toMatchObject({ enabled: true, maxAttemptsPerCard: 2, maxAttemptsPerIp: 10 })
    expect(after.exemptionPolicy).toEqual({ exemptions: ['trusted', 'low_value'], requestIn: 'authorization' })
    const payment = await pay(platform(), (await newInstrument(platform())).id)
    expect(payment.attempts.map(({ processorId }) => processorId)).toEqual([after.processorConfigs[1]?.processorId])
    expect(complaints).toEqual([])
  })

  test('a processor is connected with a secret that never comes out again, and one is switched off in a flow', async () => {
    const { call, local } = platform()
    const params = { paymentFlowId: local.paymentFlowId }
    await payThroughFirst()
    const { page, complaints } = await signedIn(platform())
    await page.getByRole('link', { name: 'Processors' }).click()
    await page.getByRole('button', { name: 'New processor' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Kind').selectOption('Stripe')
    await dialog.getByLabel('Name', { exact: true }).fill('Stripe, EU')
    await dialog.getByLabel('Currencies').fill('EUR CHF')
    await dialog.getByLabel('Visa', { exact: true }).check()
    const secret = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc'
    await dialog.getByLabel('API secret').fill(secret)
    await dialog.getByRole('button', { name: 'New processor' }).click()
    await page.getByRole('heading', { name: 'Stripe, EU' }).waitFor()
    await page.getByText('EUR, CHF').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    expect(await dialog.getByLabel('API secret').inputValue()).toBe('')
    await dialog.getByLabel('Currencies').fill('EUR')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('EUR, CHF').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(secret)
    const { data } = await call(contract.processors.list, { query: { driver: 'stripe' } }, local.adminApiKey)
    expect(data).toMatchObject([{ settings: { currencies: ['EUR'], brands: ['visa'] }, hasSecret: true }])
    await page.getByRole('link', { name: 'Processors' }).click()
    await page.getByRole('link', { name: 'North' }).click()
    await page.getByText('Working', { exact: true }).waitFor()
    await page.getByText(/of \d+ attempts? approved/).waitFor()
    await page.getByRole('button', { name: 'Switch off here' }).click()
    await dialog.getByRole('button', { name: 'Switch off here' }).click()
    await page.getByRole('button', { name: 'Switch on here' }).waitFor()
    const flow = await call(contract.paymentFlows.get, { params })
    expect(flow.processorConfigs.map(({ disabled }) => disabled)).toEqual([true, false])
    expect(complaints).toEqual([])
  })

  test('every setting of every kind of processor has a label in words, and networks have their names', async () => {
    const { call, local } = platform()
    const merchant = { merchantId: 'M1', mcc: '5411', merchantName: 'C', merchantCountryCode: 'US', acquirerBin: '4' }
    const settings = { merchantAccount: 'Shop_EU', brands: ['cartes_bancaires'], merchant }
    const secret = 'AstandIn_0123456789-abcdefghijklmnopqrstuvwxyz'
    const body = { name: 'Adyen', driver: 'adyen', secret, settings }
    const { id } = await call(contract.processors.create, { body }, local.adminApiKey)
    const { page, complaints } = await signedIn(platform())
    await page.goto(new URL(`/console/processors/${id}`, page.url()).href)
    await page.getByText('Merchant id: M1; Merchant category code (MCC): 5411').waitFor()
    await page.getByText('Cartes Bancaires', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Processors' }).click()
    await page.getByRole('button', { name: 'New processor' }).click()
    const dialog = page.getByRole('dialog')
    const kinds = await dialog.getByLabel('Kind').locator('option').allInnerTexts()
    for (const kind of kinds.slice(1)) {
      await dialog.getByLabel('Kind').selectOption(kind)
      for (const part of await dialog.getByRole('checkbox', { name: /^(Merchant|Acquirer), for/ }).all())
        await part.check()
      const labels = await dialog.locator('label, legend').allInnerTexts()
      expect(
        labels.filter((label) => /^[a-z]/.test(label)),
        kind,
      ).toEqual([])
    }
    expect(complaints).toEqual([])
  })

  test('a processor is asked whether it accepts its secret, which is replaced where it does not', async () => {
    const double = await startStripeDouble()
    onTestFinished(() => double.stop())
    const { call, local } = platform()
    const settings = { apiUrl: double.url }
    const body = { name: 'Stripe, US', driver: 'stripe', secret: 'sk_test_another', settings }
    const { id } = await call(contract.processors.create, { body }, local.adminApiKey)
    const { page, complaints } = await signedIn(platform())
    await page.goto(new URL(`/console/processors/${id}`, page.url()).href)
    await page.getByRole('button', { name: 'Check API secret' }).click()
    await page.getByText(/^The processor refuses it \(.*401.*\)/).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('API secret').fill(DOUBLE_KEY)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('The processor refuses it').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Check API secret' }).click()
    await page.getByText('The processor accepts it.').waitFor()
    expect(complaints).toEqual([])
  })

  test('a member who may only read is offered no change of the catalogue and the routing, and refused it', async () => {
    const { page, complaints } = await signedIn(platform(), 'read_only')
    const buttons = /^(New |Edit|Archive|Restore|Add|Change|Make default|Switch|Remove)/
    for (const name of ['Products', 'Promotions', 'Stores', 'Payment flows', 'Processors']) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      expect(await page.getByRole('button', { name: buttons }).count(), name).toBe(0)
      const row = page.getByRole('table').getByRole('link').first()
      if ((await row.count()) === 0) continue
      await row.click()
      await page.locator('.call').waitFor()
      expect(await page.getByRole('button', { name: buttons }).count(), `one of ${name}`).toBe(0)
    }
    const sent = {
      path: `/api/payments/v1/payment-flows/${platform().local.paymentFlowId}`,
      headers: { 'Content-Type': 'application/json', 'Tillwright-Console': '1' },
    }
    const status = await page.evaluate(async ({ path, headers }) => {
      const answer = await fetch(path, { method: 'PATCH', headers, body: '{"threeDsEnabled":true,"revision":1}' })
      return answer.status
    }, sent)
    expect(status).toBe(403)
    expect(complaints.filter((each) => !each.includes('403'))).toEqual([])
  })
})
