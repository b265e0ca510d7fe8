import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { startReceiver } from '../../../packages/platform/test/events/start-receiver.ts'
import { newInstrument, requestPayment } from '../../../packages/platform/test/pay-with-card.ts'
import { sharedPlatform, ruleEngines } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('a wrong price is mended in one step: the old one stays with those who bought at it, and a colleague is not overruled unseen', async () => {
    const { call, local } = platform()
    const { productId } = await call(contract.products.create, {
      body: {
        storeId: local.storeId,
        name: 'Tea, a kilo',
        variants: [{ name: 'Green', prices: [{ currencyOptions: { USD: { amount: 199 } } }] }],
      },
    })
    const params = { productId }
    const [variant] = (await call(contract.products.get, { params })).variants
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const lines = [{ variantId: variant?.id }]
    const bought = await requestPayment(platform(), { paymentInstrumentId, amount: undefined, lines })
    expect(bought.body).toMatchObject({ amount: 199 })
    const { page, complaints } = await signedIn(platform())
    await page.getByRole('link', { name: 'Products' }).click()
    await page.getByRole('link', { name: 'Tea, a kilo' }).click()
    await page.getByRole('button', { name: 'Change the price' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount in USD').fill('19.9')
    await dialog.getByText('From now on “Green” costs $19.90.').waitFor()
    await dialog.getByText('Orders that were placed at $1.99 stay as they are.').waitFor()
    await dialog.getByRole('button', { name: 'Change the price' }).click()
    await page.getByText('$19.90').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const { variants, revision } = await call(contract.products.get, { params })
    expect(variants[0]?.prices).toMatchObject([
      { default: false, archived: true, currencyOptions: { USD: { amount: 199 } } },
      { default: true, archived: false, currencyOptions: { USD: { amount: 1_990 } } },
    ])
    const next = await requestPayment(platform(), { paymentInstrumentId, amount: undefined, lines })
    expect(next.body).toMatchObject({ amount: 1_990 })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await call(contract.products.update, { params, body: { name: 'Tea, 1 kg', revision } })
    await dialog.getByLabel('Name').fill('Green tea, a kilo')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = dialog.getByRole('row').filter({ hasText: 'Tea, 1 kg' })
    await row.getByText('Green tea, a kilo').waitFor()
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByRole('heading', { name: 'Green tea, a kilo' }).waitFor()
    expect(complaints.filter((each) => !each.includes('409'))).toEqual([])
  })

  test('a variant is renamed, weighed and given a picture, a product its tax category, and a second price is offered to pages', async () => {
    const { call, local } = platform()
    const price = { currencyOptions: { USD: { amount: 5_000 } } }
    const monthly = { currencyOptions: { USD: { amount: 900 } }, recurring: true, interval: 'month' as const }
    const { productId } = await call(contract.products.create, {
      body: { storeId: local.storeId, name: 'Kettle', variants: [{ name: 'Sliver', sku: 'KET-1', prices: [price] }] },
    })
    const { page, complaints } = await signedIn(platform(), 'operations')
    const dialog = page.getByRole('dialog')
    const save = async (label: string) => {
      await dialog.getByRole('button', { name: label }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.goto(new URL(`/console/products/${productId}`, page.url()).href)
    await page.getByRole('button', { name: 'Edit Sliver' }).click()
    await dialog.getByLabel('Name of the variant').fill('Silver')
    await dialog.getByLabel('Weight in grams').fill('850,5')
    await dialog.getByLabel('Address of an image').fill('https://shop.example/kettle.png')
    await save('Save')
    await page.getByText('https://shop.example/kettle.png').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByLabel('Tax category').fill('household')
    await save('Save')
    await page.getByText('household').waitFor()
    await page.getByRole('button', { name: 'Add a price' }).click()
    await dialog.getByLabel('Amount in USD').fill('9')
    await dialog.getByLabel('Charged').selectOption('Every month')
    await dialog.getByLabel('Number of periods').fill('0')
    await dialog.getByText('Enter a whole number from 1 to 1,000.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Add a price' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Number of periods').fill('1')
    await dialog.getByLabel('When').selectOption('after each period')
    await save('Add a price')
    await page.getByText('Every month, after each period').waitFor()
    await page.getByRole('button', { name: 'Offer to pages' }).click()
    await dialog.getByText('Buyers may choose $9.00 in your pages').waitFor()
    await save('Offer to pages')
    await page.getByText('Offered to pages').waitFor()
    const product = await call(contract.products.get, { params: { productId } })
    const silver = { name: 'Silver', sku: 'KET-1', grams: 850.5, imageUrl: 'https://shop.example/kettle.png' }
    const prices = [price, { ...monthly, billingTiming: 'in_arrears', offeredToPages: true }]
    expect(product).toMatchObject({ taxCategory: 'household', variants: [{ ...silver, prices }] })
    expect(complaints).toEqual([])
  })

  test('a code is tried on an order: what applies is taken off, and what does not says why, as on the page of an order', async () => {
    const { call, local } = platform()
    const sale = { storeId: local.storeId, name: 'Summer sale', code: 'SUMMER' }
    await call(contract.promotions.create, {
      body: { ...sale, actions: [{ type: 'OrderPercentageAdjustment', adjustmentPercentage: 25 }] },
    })
    await call(contract.promotions.create, {
      body: {
        ...sale,
        name: 'For many',
        code: null,
        automatic: true,
        rules: [{ type: 'OrderMinQuantity', quantity: 50 }],
        actions: [{ type: 'ShippingAdjustment', free: true }],
      },
    })
    const prices = [{ currencyOptions: { USD: { amount: 4_000 } } }]
    const { productId } = await call(contract.products.create, {
      body: { storeId: local.storeId, name: 'Teapot', variants: [{ name: 'Blue', prices }] },
    })
    const [variant] = (await call(contract.products.get, { params: { productId } })).variants
    const { id: paymentInstrumentId } = await newInstrument(platform())
    await requestPayment(platform(), { paymentInstrumentId, amount: undefined, lines: [{ variantId: variant?.id }] })
    const { page, complaints } = await signedIn(platform(), 'operations')
    await page.getByRole('link', { name: 'Promotions' }).click()
    await page.getByRole('link', { name: 'Summer sale' }).click()
    await page.getByRole('link', { name: 'Try an order' }).click()
    await page.getByLabel('Product').selectOption('Teapot')
    await page.getByLabel('Quantity').fill('2')
    await page.getByLabel('Currency').selectOption('USD')
    await page.getByLabel('Codes').fill('SUMMER')
    await page.getByRole('button', { name: 'Price the order' }).click()
    await page.getByText('Saves $20.00').waitFor()
    await page.getByText('Its conditions are not met').waitFor()
    expect(await page.getByRole('definition').last().textContent()).toBe('$60.00')
    await page.goBack()
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Percentage').fill('12.5')
    await dialog.getByLabel('Paid orders that may use it').fill('100')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('12.5% off the order').waitFor()
    const { data } = await call(contract.promotions.list, { query: { q: 'SUMMER' } })
    expect(data).toMatchObject([{ usageLimit: 100, actions: [{ adjustmentPercentage: 12.5 }] }])
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('link', { name: '$40.00' }).click()
    await page.getByRole('listitem').filter({ hasText: 'For many' }).getByText('the order has 1.').waitFor()
    expect(complaints).toEqual([])
  })

  test('a store is opened, told its payment flow, and given a shipping option', async () => {
    const { call, local } = platform()
    const { page, complaints } = await signedIn(platform())
    const flow = await call(contract.paymentFlows.get, { params: { paymentFlowId: local.paymentFlowId } })
    await page.getByRole('link', { name: 'Stores' }).click()
    await page.getByRole('button', { name: 'New store' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Harbour Goods')
    await dialog.getByLabel('Main currency').selectOption('EUR')
    await dialog.getByRole('button', { name: 'New store' }).click()
    await page.getByRole('heading', { name: 'Harbour Goods' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Payment flow').selectOption(flow.name)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: flow.name }).waitFor()
    await page.getByRole('button', { name: 'Add an option' }).click()
    await dialog.getByLabel('Name').fill('Standard')
    await dialog.getByLabel('Add a currency').selectOption('EUR')
    await dialog.getByLabel('Amount in EUR').fill('4.9')
    await dialog.getByLabel('Free from, in EUR').fill('50')
    await dialog.getByRole('button', { name: 'Remove USD' }).click()
    await dialog.getByLabel('Countries').fill('ie gb')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('€4.90, free above €50.00').waitFor()
    const { data } = await call(contract.stores.list, { query: { q: 'Harbour' } })
    expect(data).toMatchObject([{ baseCurrency: 'EUR', selectedPaymentFlowId: local.paymentFlowId }])
    const params = { storeId: data[0]?.id ?? '' }
    const { shippingOptions } = await call(contract.shippingOptions.list, { params })
    expect(shippingOptions).toMatchObject([
      { name: 'Standard', currencyOptions: { EUR: { amount: 490, freeFrom: 5_000 } }, countries: ['IE', 'GB'] },
    ])
    expect(complaints).toEqual([])
  })

  test('a hook whose server gives no answer is found on its page, where it is told to go on, its secret rotated and it is removed', async () => {
    const { call, local } = platform()
    const merchant = await startReceiver(() => ({ status: 500 }))
    const productBody = {
      storeId: local.storeId,
      name: 'Lamp',
      isTaxable: true,
      variants: [{ name: 'Tall', prices: [{ currencyOptions: { USD: { amount: 4_000 } } }] }],
    }
    const { productId } = await call(contract.products.create, { body: productBody })
    const [variant] = (await call(contract.products.get, { params: { productId } })).variants
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const order = () =>
      requestPayment(platform(), { paymentInstrumentId, amount: undefined, lines: [{ variantId: variant?.id }] })
    const { page, complaints } = await signedIn(platform(), 'developer')
    const dialog = page.getByRole('dialog')
    const readSecret = async () => {
      const secret = await dialog.getByText(/^whsec_/).textContent()
      await dialog.getByRole('button', { name: 'Close' }).click()
      return secret
    }
    await page.goto(new URL(`/console/stores/${local.storeId}`, page.url()).href)
    await page.getByRole('button', { name: 'Add a hook' }).click()
    await dialog.getByLabel('Question', { exact: true }).selectOption('Tax')
    await dialog.getByLabel('Address on your server').fill(`${merchant.url}/tax`)
    await dialog.getByText('Orders are refused until your server answers again.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    const first = await readSecret()
    expect((await order()).error.code).toBe('tax_unanswered')

    await page.getByRole('link', { name: 'Tax', exact: true }).click()
    await page.getByText('The order was refused.').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Without an answer in time').selectOption('Without an answer, the order goes on.')
    await dialog.getByText('No tax is added.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await order()).status).toBe(201)
    await page.getByText('The order went on without an answer.').first().waitFor()

    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    expect(await readSecret()).not.toBe(first)
    await page.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('None: nothing is asked of your server.').waitFor()
    expect(complaints).toEqual([])
  })
})
