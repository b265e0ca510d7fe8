import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@tillwright/client'
import { runCommand } from '../../cli/src/testing/run-command.ts'
import { startLocal } from '../../cli/src/testing/start-local.ts'
import { packCreatePlugin } from './pack-create-plugin.ts'

/** A platform that plugins are created for and published to. */
export interface PublishedPlugins {
  client: Client
  storeId: string
  /** Variants of the platform's own products, of which each costs something else. */
  variants: readonly [string, string]
  /** Makes a variant that costs 10.00 USD every three months. */
  recurringVariant: () => Promise<string>
  /** A store that sells the same in euros, where buyers can pay with more than a card. */
  euroStoreId: string
  /**
   * Creates a plugin, changes the settings of its default preset, and publishes it.
   *
   * @returns Its address.
   */
  publish: (folder: string, words: readonly string[], settings: Readonly<Record<string, string>>) => Promise<string>
  /** The same from a template as it is, in the store that sells in euros. */
  publishInEuros: (folder: string, template: string) => Promise<string>
  stop: () => Promise<void>
}

/** Starts a platform, and packs what creates plugins. */
export async function publishedPlugins(): Promise<PublishedPlugins> {
  const [packed, local] = await Promise.all([packCreatePlugin(), startLocal()])
  await packed.addPackages()
  const { adminApiKey, apiUrl, storeId, productId, paymentFlowId } = local.file
  const client = createClient({ apiKey: adminApiKey, baseUrl: apiUrl })
  const [first, second] = (await client.products.get({ productId })).variants
  const inEuros = { name: 'Totes', baseCurrency: 'EUR', selectedPaymentFlowId: paymentFlowId }
  const { id: euroStoreId } = await client.stores.create(inEuros)
  const shippingOptions = [{ name: 'Standard', currencyOptions: { EUR: { amount: 0 } } }]
  await client.shippingOptions.set({ storeId: euroStoreId, shippingOptions })
  const variants = [{ name: 'Plain', prices: [{ currencyOptions: { EUR: { amount: 2_200 } } }] }]
  await client.products.create({ storeId: euroStoreId, name: 'Tote', isShippable: true, variants })
  const create = async (folder: string, words: readonly string[]): Promise<string> => {
    const made = await packed.createPlugin([folder, '--no-install', ...words])
    if (made.code !== 0) throw new Error(made.err)
    return join(packed.folder, folder)
  }
  const publishTo = async (store: string, root: string): Promise<string> => {
    // The tests visit the pages themselves.
    const { code, out, err } = await runCommand(['publish', root, '--json', '--no-visit', '--store', store], {
      TILLWRIGHT_HOME: local.home,
      CHROME_PATH: process.env['CHROME_PATH'] ?? '',
      PATH: process.env['PATH'] ?? '',
    })
    if (code !== 0) throw new Error(err + out)
    return JSON.parse(out).published.url
  }
  return {
    client,
    storeId,
    euroStoreId,
    async recurringVariant() {
      const every = { recurring: true, interval: 'month' as const, intervalCount: 3 }
      const box = [{ name: 'Large', prices: [{ currencyOptions: { USD: { amount: 1_000 } }, ...every }] }]
      const created = await client.products.create({ storeId, name: 'Box', variants: box })
      const [variant] = (await client.products.get({ productId: created.productId })).variants
      return variant?.id ?? ''
    },
    variants: [first?.id ?? '', second?.id ?? ''],
    async publish(folder, words, settings) {
      const root = await create(folder, words)
      await changeSettings(root, settings)
      return publishTo(storeId, root)
    },
    publishInEuros: async (folder, template) => publishTo(euroStoreId, await create(folder, ['--template', template])),
    stop: async () => void (await Promise.all([local.stop(), packed.remove()])),
  }
}

async function changeSettings(root: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const { configuration } = JSON.parse(await readFile(join(root, 'plugin.manifest.json'), 'utf8'))
  const [path] = Object.values<string>(configuration.presets)
  const file = join(root, path ?? '')
  const preset = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...preset, ...settings }))
}
