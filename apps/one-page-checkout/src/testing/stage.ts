import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, type Client } from '@tillwright/client'
import { buildPlugin, type BuiltPlugin } from '@tillwright/plugin-build'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { startLocal } from '../../../../packages/cli/src/testing/start-local.ts'
import { enterCheckout, type Buyer } from './buyer.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A look of the plugin that comes with it. */
export type Preset = 'plain' | 'atelier' | 'night'

/** How a test's page differs from the preset. */
export interface Wanted extends BrowserContextOptions {
  preset?: Preset
  settings?: Partial<Tillwright.Config>
  /** Of the address. */
  search?: string
}

/** A platform that sells two bags through this plugin, and a browser. */
export interface Stage {
  client: Client
  storeId: string
  /** The variants: two bags. */
  variants: { natural: string; night: string }
  built: BuiltPlugin
  /** Deploys the plugin with these settings; the same ones are deployed once. */
  deploy(wanted?: Pick<Wanted, 'preset' | 'settings'>): Promise<string>
  /** Enters the checkout in a window of its own. */
  enter(wanted?: Wanted): Promise<Buyer>
  /** The same in another store, which has its own page for buyers who have paid. */
  withThankYouUrl(customThankYouUrl: string): Promise<Stage>
  /** The same in another store, which sells in euros and whose checkout is a step of a funnel, so that buyers can come back to it. */
  inFunnel(): Promise<Stage>
  stop(): Promise<void>
}

/** Sets the stage: builds the plugin, and starts a local platform. */
export async function setStage(): Promise<Stage> {
  const [local, built, browser] = await Promise.all([
    startLocal(),
    buildPlugin(ROOT, { environment: {}, target: null }),
    sharedChromium(),
  ])
  const { apiUrl, adminApiKey, storeId, productId, paymentFlowId } = local.file
  const client = createClient({ apiKey: adminApiKey, baseUrl: apiUrl })
  const stop = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    await local.stop()
  }
  return stageIn({ storeId, productId }, { client, built, browser, paymentFlowId, stop })
}

interface Setting extends Pick<Stage, 'client' | 'built' | 'stop'> {
  browser: Browser
  paymentFlowId: string
}

async function stageIn(store: { storeId: string; productId: string }, set: Setting): Promise<Stage> {
  const { client, built, browser, stop } = set
  const { storeId } = store
  const variants = await sellThings(client, store)
  const deployed = new Map<string, Promise<string>>()
  const stage: Stage = {
    client,
    storeId,
    variants,
    built,
    async deploy({ preset = 'plain', settings = {} } = {}) {
      const config = { ...(await presetOf(preset)), ...shopOf(stage.variants), ...settings }
      const key = JSON.stringify(config)
      const pluginId = `one-page-${preset}-${deployed.size}`
      const url = deployed.get(key) ?? deploy(stage, pluginId, config)
      deployed.set(key, url)
      return url
    },
    async enter({ preset, settings, search = '', ...options } = {}) {
      const url = await stage.deploy({ ...(preset && { preset }), ...(settings && { settings }) })
      const context = await browser.newContext({ locale: 'en-US', ...options })
      return enterCheckout(context, `${url}/checkout${search}`)
    },
    async withThankYouUrl(customThankYouUrl) {
      return stageIn(await openStore({ baseCurrency: 'USD', customThankYouUrl }, set), set)
    },
    async inFunnel() {
      const other = await stageIn(await openStore({ baseCurrency: 'EUR' }, set), set)
      await other.deploy()
      const pluginId = 'one-page-plain-0' // of the first deployment
      const steps = [
        { type: 'checkout', name: 'Checkout', path: '/checkout', pluginId, pageId: 'checkout' },
        { type: 'thank_you', name: 'Thanks', path: '/thank-you', pluginId, pageId: 'thank-you' },
      ]
      await client.funnels.create({ storeId: other.storeId, name: 'Two pages', steps })
      return other
    },
    stop,
  }
  return stage
}

interface NewStore {
  baseCurrency: 'USD' | 'EUR'
  customThankYouUrl?: string
}

/** Another store with two bags. */
async function openStore(
  fields: NewStore,
  { client, paymentFlowId }: Setting,
): Promise<{ storeId: string; productId: string }> {
  const { id: storeId } = await client.stores.create({
    ...fields,
    name: 'Another store',
    selectedPaymentFlowId: paymentFlowId,
  })
  const prices = [{ currencyOptions: { [fields.baseCurrency]: { amount: 2_400 } } }]
  const variants = ['Natural', 'Night blue'].map((name) => ({ name, prices }))
  const { productId } = await client.products.create({ storeId, name: 'Canvas tote', isShippable: true, variants })
  return { storeId, productId }
}

async function presetOf(preset: Preset): Promise<Tillwright.Config> {
  const { meta: _, ...config } = JSON.parse(await readFile(join(ROOT, `config/presets/${preset}.json`), 'utf8'))
  return config
}

/** A merchant's additions to a preset: products, and words for shipping options. */
function shopOf({ natural, night }: Stage['variants']): Tillwright.Config {
  const inWords = (en: string, de: string, ar: string) => ({ en, de, ar })
  return {
    products: [
      {
        variantId: natural,
        image: '/images/tote-natural.svg',
        title: inWords('Canvas tote', 'Leinentasche', 'حقيبة قماش'),
        text: inWords('Natural', 'Naturweiß', 'طبيعي'),
      },
      {
        variantId: night,
        quantity: 0,
        image: '/images/tote-night.svg',
        title: inWords('Canvas tote', 'Leinentasche', 'حقيبة قماش'),
        text: inWords('Night blue', 'Nachtblau', 'أزرق ليلي'),
      },
    ],
    shipping: [
      {
        id: 'standard',
        name: inWords('Standard', 'Standard', 'عادي'),
        note: inWords('In 3 to 5 days', 'In 3 bis 5 Tagen', 'خلال 3 إلى 5 أيام'),
      },
      {
        id: 'express',
        name: inWords('Express', 'Express', 'سريع'),
        note: inWords('Tomorrow', 'Morgen', 'غدًا'),
      },
      {
        id: 'pick-up',
        name: inWords('Pick it up in the workshop', 'Abholung in der Werkstatt', 'الاستلام من الورشة'),
      },
    ],
    supportEmail: 'hello@shop.example',
    termsUrl: 'https://shop.example/terms',
    privacyUrl: 'https://shop.example/privacy',
  }
}

async function sellThings(
  client: Client,
  { storeId, productId }: { storeId: string; productId: string },
): Promise<Stage['variants']> {
  const bags = await client.products.get({ productId })
  const cost = (amount: number) => ({ USD: { amount }, EUR: { amount } })
  await client.shippingOptions.set({
    storeId,
    shippingOptions: [
      { id: 'standard', name: 'Standard', currencyOptions: cost(490) },
      { id: 'express', name: 'Express', currencyOptions: cost(1_200) },
      { id: 'pick-up', name: 'Pick-up', currencyOptions: cost(0), countries: ['IE'] },
    ],
  })
  const idOf = (product: typeof bags, name: string): string => {
    const variant = product.variants.find((each) => each.name === name)
    if (variant === undefined) throw new Error(`There is no variant called ${name}.`)
    return variant.id
  }
  return {
    natural: idOf(bags, 'Natural'),
    night: idOf(bags, 'Night blue'),
  }
}

async function deploy({ client, storeId, built }: Stage, pluginId: string, config: Tillwright.Config): Promise<string> {
  const { plugin, files } = built
  if (plugin === null) throw new Error('The plugin has errors.')
  const { deployment } = await client.plugins.deploy({
    storeId,
    manifest: { ...plugin.file, pluginId, config: { ...config } },
    inlineAssets: files
      .filter(({ path }) => !path.endsWith('.map'))
      .map(({ path, bytes, contentType }) => ({
        path,
        content: Buffer.from(bytes).toString('base64'),
        encoding: 'base64' as const,
        contentType,
      })),
  })
  if (deployment === null) throw new Error('Its files are missing.')
  return deployment.url.replace(/\/$/, '')
}
