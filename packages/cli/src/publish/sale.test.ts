import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@tillwright/client'
import { beforeAll, expect, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { simplePlugin } from '../testing/simple-plugin.ts'
import { startLocal, type RunningLocal } from '../testing/start-local.ts'
import { pricePattern } from './live-page.ts'
import { findSale } from './sale.ts'

let local: RunningLocal
beforeAll(async () => {
  local = await startLocal()
  return local.stop
})

const page = "document.body.append(JSON.parse(document.querySelector('#tillwright-data').textContent).config.product)\n"

/** A plugin of one page that sells the product in its setting `product`. */
async function sellingPlugin(pluginId: string): Promise<string> {
  const folder = await simplePlugin(page, [])
  const file = join(folder, 'plugin.manifest.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  const product = { type: 'string', format: 'variant' }
  const schema = { type: 'object', required: ['product'], properties: { product } }
  const configuration = { schema, presets: { day: { product: '' }, night: { product: '' } }, defaultPreset: 'day' }
  await writeFile(file, JSON.stringify({ ...manifest, pluginId, configuration }))
  await writeFile(join(folder, 'scenarios.json'), '{ "scenarios": [{ "name": "Plain" }] }')
  return folder
}

const run = async (...args: string[]) => {
  const { code, out, err } = await runCommand([...args, '--json'], { TILLWRIGHT_HOME: local.home })
  return { code, err, answer: JSON.parse(out) }
}

/** A store of its own with these products. */
async function newStore(...names: string[]) {
  const client = createClient({ apiKey: local.file.adminApiKey, baseUrl: local.file.apiUrl })
  const { id: storeId } = await client.stores.create({ name: 'Shop', baseCurrency: 'USD' })
  const variants: string[] = []
  for (const [index, name] of names.entries()) {
    const prices = [{ currencyOptions: { USD: { amount: 2_400 + index }, JPY: { amount: 900 } } }]
    const { productId } = await client.products.create({ storeId, name, variants: [{ name: 'One', prices }] })
    const [variant] = (await client.products.get({ productId })).variants
    variants.push(variant?.id ?? '')
  }
  return { storeId, variants, client }
}

test('the only product of a store is sold without asking, and plan and publish say which and for how much', async () => {
  const folder = await sellingPlugin('only-product')
  const { storeId, variants } = await newStore('Tote')
  const offer = { variantId: variants[0], name: 'Tote', amounts: { USD: 2_400, JPY: 900 }, every: null }
  expect((await run('plan', folder, '--store', storeId)).answer.sale).toMatchObject({ source: 'picked', offer })
  const first = await runCommand(['publish', folder, '--store', storeId], { TILLWRIGHT_HOME: local.home })
  expect(first.out).toContain('Sells    Tote for 24.00 USD, 900 JPY (picked')
  expect(first.out).toContain('The live page answers')
  const again = await run('publish', folder, '--store', storeId)
  expect(again.answer).toMatchObject({ plan: { isNothing: true }, sale: { source: 'setting', offer } })
})

test('what is paid again is said with how often', async () => {
  const folder = await sellingPlugin('subscription')
  const { storeId, client } = await newStore()
  const prices = [{ currencyOptions: { USD: { amount: 1_500 } }, recurring: true, interval: 'month' as const }]
  await client.products.create({ storeId, name: 'Club', variants: [{ name: 'One', prices }] })
  const { err } = await runCommand(['publish', folder, '--store', storeId, '--no-visit'], {
    TILLWRIGHT_HOME: local.home,
  })
  expect(err).toContain('Sells    Club for 15.00 USD every month (picked')
})

test('--variant names another product, in every preset, and the next publish keeps it', async () => {
  const folder = await sellingPlugin('chosen-product')
  const { storeId, variants, client } = await newStore('Tote', 'Mug')
  const [tote = '', mug = ''] = variants
  // Outside production a visitor has to see something at once.
  expect((await run('publish', folder, '--store', storeId)).answer.sale.variantId).toBe(tote)
  const second = await run('publish', folder, '--store', storeId, '--variant', mug)
  const { deploymentId } = second.answer.published
  const { presets } = await client.pluginManagement.settings({ deploymentId })
  expect(presets).toEqual({ day: { product: mug }, night: { product: mug } })
  await writeFile(join(folder, 'src/pages/home.ts'), `${page}// changed\n`)
  expect((await run('publish', folder, '--store', storeId)).answer.sale).toMatchObject({ variantId: mug })
  const wrong = await run('publish', folder, '--store', storeId, '--variant', 'variant_none')
  expect(wrong).toMatchObject({ code: 2, answer: { error: { message: expect.stringContaining(`${tote} (Tote, `) } } })
})

test('in production, nothing is picked out of several products without a terminal: the refusal lists them', async () => {
  const { storeId, variants, client } = await newStore('Tote', 'Mug')
  const content = {
    pluginId: 'live',
    version: '1.0.0',
    manifestVersion: '1.0.0',
    manifest: { name: 'Live', version: '1.0.0', tags: [], mode: 'direct-mode' as const, pages: [] },
    files: [],
    settings: {
      schema: { type: 'object', required: ['product'], properties: { product: { type: 'string', format: 'variant' } } },
      uiSchema: null,
      presets: { day: { product: '' } },
      templates: {},
    },
  }
  const context = { client, storeId, signal: new AbortController().signal, settingsOf: null, isDryRun: false }
  const sale = await findSale(content, { ...context, environment: 'production', variant: undefined })
  expect(sale).toMatchObject({ offer: null, presets: {}, refusal: expect.stringContaining('--variant') })
  for (const variantId of variants) expect(sale?.refusal).toContain(variantId)
  const chosen = await findSale(content, { ...context, environment: 'production', variant: variants[1] })
  expect(chosen).toMatchObject({ refusal: null, presets: { day: { product: variants[1] } } })
})

test("the step of a funnel says what is sold before the plugin's settings do", async () => {
  const folder = await sellingPlugin('step-product')
  const { storeId, variants, client } = await newStore('Tote', 'Mug')
  await run('publish', folder, '--store', storeId)
  const [{ id: pageId } = { id: '' }] = JSON.parse(await readFile(join(folder, 'plugin.manifest.json'), 'utf8')).pages
  const settings = { product: variants[1] }
  const step = { type: 'checkout', name: 'Pay', path: '/', pluginId: 'step-product', pageId, settings }
  await client.funnels.create({ storeId, name: 'Sale', active: true, steps: [step] })
  expect((await run('plan', folder, '--store', storeId)).answer.sale).toMatchObject({
    source: 'step',
    offer: { name: 'Mug' },
  })
})

test('a plugin without such a setting sells nothing that publishing could name', async () => {
  const folder = await simplePlugin('document.body.append(1)\n', [{ name: 'Plain' }])
  expect((await run('publish', folder)).answer).toMatchObject({ sale: null, published: { visit: { status: 200 } } })
  expect(await run('publish', folder, '--variant', 'variant_1')).toMatchObject({ code: 2 })
})

test('publish prints the address that stays first: the plugin’s own, then the domain that it is promoted to', async () => {
  const folder = await simplePlugin('document.body.append(1)\n', [{ name: 'Plain' }])
  const { pluginId } = JSON.parse(await readFile(join(folder, 'plugin.manifest.json'), 'utf8'))
  const firstLine = async () => {
    const { out } = await runCommand(['publish', folder], { TILLWRIGHT_HOME: local.home })
    return out.split('\n')[0]
  }
  const address = await firstLine()
  expect(address).toMatch(new RegExp(`^http://${pluginId}--[a-z2-7]{26}\\.plugins\\.localhost:\\d+/$`))
  await writeFile(join(folder, 'src/pages/home.ts'), 'document.body.append(2)\n')
  expect(await firstLine()).toBe(address)
  await run('promote', pluginId, `${pluginId}.shop.example`)
  expect(await firstLine()).toContain(`http://${pluginId}.shop.example:`)
})

test('an alias that someone pinned to a deployment stays where it is', async () => {
  const folder = await simplePlugin('document.body.append(1)\n', [{ name: 'Plain' }])
  const { pluginId } = JSON.parse(await readFile(join(folder, 'plugin.manifest.json'), 'utf8'))
  const pinned = await run('publish', folder, '--no-activate', '--alias', pluginId)
  expect(pinned.answer.published).toMatchObject({ addresses: [], visit: null })
  expect((await run('publish', folder)).answer.published).toMatchObject({ isActive: true, addresses: [] })
})

test('a price is recognized however a language writes it', () => {
  const seen = (amount: string, text: string) => new RegExp(pricePattern(amount)).test(text)
  for (const text of ['$1,234.00', '1.234,00 €', '1 234,00 zł', "CHF 1'234.00", '1234.00']) {
    expect(seen('1234.00', text), text).toBe(true)
  }
  for (const text of ['$11,234.00', '$1,234.005', '$1,235.00', '1234']) expect(seen('1234.00', text), text).toBe(false)
  expect(seen('900', '¥900')).toBe(true)
})
