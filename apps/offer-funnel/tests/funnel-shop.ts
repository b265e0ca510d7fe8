import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '@tillwright/client'
import type { NewFunnelInput } from '@tillwright/contract'
import { buildPlugin } from '@tillwright/plugin-build'
import type { LocalFile } from '@tillwright/platform'

/** The plugin's own folder. */
export const pluginFolder = fileURLToPath(new URL('..', import.meta.url))

/** The presets of the plugin. */
export const presetNames = ['daylight', 'ember', 'linen'] as const
export type PresetName = (typeof presetNames)[number]

/** A store that sells by the funnel. */
export interface FunnelShop {
  /** Where the funnel begins. */
  url: string
  storeId: string
  funnelId: string
  /** A code for a preview that begins at the landing page. */
  preview(options?: { locale?: string }): Promise<string>
  /** Shows a preset, with settings over its own. */
  show(preset: PresetName, change?: Settings): Promise<void>
  client: Client
}

type Settings = Readonly<Record<string, unknown>>

/** Products of the store, in cents: a bottle in three bundles, and two add-ons. */
const prices = { bottle: 3_400, 'two-bottles': 5_900, 'three-bottles': 7_900, cup: 1_900, brush: 700 } as const
const names = {
  bottle: 'Fjord bottle',
  'two-bottles': 'Fjord bottle, set of two',
  'three-bottles': 'Fjord bottle, set of three',
  cup: 'Fjord cup',
  brush: 'Bottle brush',
}

const steps: NewFunnelInput['steps'] = [
  ['landing', 'landing', '/'],
  ['offer', 'offer', '/offer'],
  ['checkout', 'checkout', '/checkout'],
  ['upsell', 'upsell', '/one-more-thing'],
  ['downsell', 'downsell', '/a-smaller-one'],
  ['thank-you', 'thank_you', '/thank-you'],
].map(([pageId = '', type = '', path = '']) => ({ type, name: pageId, path, pageId, pluginId: 'offer-funnel' }))

/** Puts the plugin into the local store, with its products and a funnel whose steps are its pages. */
export function openFunnelShop({ apiUrl, apiKey, storeId }: LocalFile): Promise<FunnelShop> {
  return openShop(createClient({ baseUrl: apiUrl, apiKey }), { apiUrl, storeId, idOf: (name) => name })
}

/** The same in a store that sells in euros, where buyers can pay with more than a card. */
export async function openEuroShop({ apiUrl, adminApiKey, paymentFlowId }: LocalFile): Promise<FunnelShop> {
  const client = createClient({ baseUrl: apiUrl, apiKey: adminApiKey })
  const fields = { name: 'Norrvik', baseCurrency: 'EUR', selectedPaymentFlowId: paymentFlowId }
  const { id: storeId } = await client.stores.create(fields)
  const shippingOptions = [{ name: 'Standard', currencyOptions: { EUR: { amount: 0 } } }]
  await client.shippingOptions.set({ storeId, shippingOptions })
  return openShop(client, { apiUrl, storeId, idOf: (name) => `${name}-in-euros` })
}

interface Stocked extends Pick<LocalFile, 'apiUrl' | 'storeId'> {
  /** The id of a variant, of which each is one in the account. */
  idOf: (name: keyof typeof prices) => string
}

async function openShop(client: Client, { apiUrl, storeId, idOf }: Stocked): Promise<FunnelShop> {
  const [deployment] = await Promise.all([deploy(client, storeId), stock(client, { storeId, idOf })])
  const { id: deploymentId, url } = deployment
  const funnel = await client.funnels.create({ storeId, name: 'Offer funnel', steps })
  const [first] = funnel.steps
  const shop: FunnelShop = {
    url,
    storeId,
    funnelId: funnel.id,
    client,
    async preview(options = {}) {
      const { token } = await client.funnels.previewSession({
        funnelId: funnel.id,
        storeId,
        stepId: first?.id ?? '',
        ...options,
      })
      const handOver = await fetch(`${apiUrl}/api/session/v1/session/hand-over`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
      })
      return (await handOver.json()).code
    },
    async show(preset, change = {}) {
      const settings = { ...selling(await readPreset(preset), idOf), ...change }
      await client.plugins.syncConfig({ deploymentId, presets: { default: settings }, strategy: 'theirs' })
    },
  }
  await shop.show('daylight')
  return shop
}

async function deploy(client: Client, storeId: string) {
  const { plugin, files, problems } = await buildPlugin(pluginFolder, { environment: {}, target: 'test' })
  if (plugin === null || problems.length > 0) throw new Error(JSON.stringify(problems))
  const { deployment } = await client.plugins.deploy({
    storeId,
    manifest: plugin.file,
    inlineAssets: files
      .filter(({ isPublic }) => isPublic)
      .map(({ path, bytes }) => ({ path, content: Buffer.from(bytes).toString() })),
  })
  if (deployment === null) throw new Error('Its assets are missing.')
  return deployment
}

async function stock(client: Client, { storeId, idOf }: Pick<Stocked, 'storeId' | 'idOf'>): Promise<void> {
  await Promise.all(
    (Object.keys(prices) as (keyof typeof prices)[]).map((name) =>
      client.products.create({
        storeId,
        name: names[name],
        isShippable: true,
        variants: [
          {
            id: idOf(name),
            name: names[name],
            prices: [{ currencyOptions: { USD: { amount: prices[name] }, EUR: { amount: prices[name] } } }],
          },
        ],
      }),
    ),
  )
}

/** A preset of the plugin as it is in its folder. */
export async function readPreset(preset: PresetName): Promise<Record<string, Settings & Settings[]>> {
  return JSON.parse(await readFile(`${pluginFolder}/config/presets/${preset}.json`, 'utf8'))
}

/** Settings that name the store's products. */
function selling(settings: Record<string, Settings & Settings[]>, idOf: Stocked['idOf']): Settings {
  const variants = (['bottle', 'two-bottles', 'three-bottles'] as const).map(idOf)
  return {
    ...settings,
    product: { ...settings['product'], variantId: idOf('bottle') },
    bundles: settings['bundles']?.map((bundle, index) => ({ ...bundle, variantId: variants[index] })),
    upsell: { ...settings['upsell'], variantId: idOf('cup') },
    downsell: { ...settings['downsell'], variantId: idOf('brush') },
  }
}
