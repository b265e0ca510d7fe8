import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startShop } from '../../apps/demo-shop/flows/running-shop.ts'
import { openFunnelShop } from '../../apps/offer-funnel/tests/funnel-shop.ts'
import { bankSimulator } from '../../packages/bank-simulator/src/index.ts'
import { createClient } from '../../packages/client/src/index.ts'
import { createPlatformLog, readConfig, startLocal, type LocalFile } from '../../packages/platform/src/index.ts'
import { buildPlugin } from '../../packages/plugin-build/src/index.ts'

/** The first page of a template plugin or of the demo shop, as a buyer is given it. */
export interface PublishedPage {
  name: string
  url: string
}

/** Template plugins, published on a platform that runs in this process, and the demo shop on one of its own. */
export interface PublishedApps {
  pages: readonly PublishedPage[]
  stop: () => Promise<void>
}

/** Builds and publishes both template plugins, each with something to sell, and starts the demo shop. */
export async function publishApps(): Promise<PublishedApps> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-pages-'))
  const config = readConfig({ TILLWRIGHT_HOME: home, TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0' })
  const log = createPlatformLog(config, join(home, 'platform.log'))
  const platform = await startLocal(config, 'http://localhost:9', { log, simulator: bankSimulator })
  const [funnel, checkoutUrl] = await Promise.all([openFunnelShop(platform.local), publishCheckout(platform.local)])
  const shop = await startShop()
  return {
    pages: [
      { name: 'one-page-checkout', url: `${checkoutUrl}/checkout` },
      { name: 'offer-funnel', url: `${funnel.url}/` },
      { name: 'demo-shop', url: shop.local.shopUrl },
    ],
    async stop() {
      await shop.stop()
      await platform.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** @returns Where it is served, without a slash at the end. */
async function publishCheckout({ apiUrl, apiKey, storeId, productId }: LocalFile): Promise<string> {
  const folder = join(import.meta.dirname, '../../apps/one-page-checkout')
  const { plugin, files } = await buildPlugin(folder, { environment: {}, target: 'live' })
  if (plugin === null) throw new Error('one-page-checkout has errors.')
  const client = createClient({ baseUrl: apiUrl, apiKey })
  const { variants } = await client.products.get({ productId })
  const { meta: _, ...preset } = JSON.parse(await readFile(join(folder, 'config/presets/plain.json'), 'utf8'))
  const products = [{ variantId: variants[0]?.id ?? '', image: '/images/tote-natural.svg' }]
  const { deployment } = await client.plugins.deploy({
    storeId,
    manifest: { ...plugin.file, config: { ...preset, products } },
    inlineAssets: files
      .filter(({ isPublic }) => isPublic)
      .map(({ path, bytes, contentType }) => ({
        path,
        contentType,
        content: Buffer.from(bytes).toString('base64'),
        encoding: 'base64' as const,
      })),
  })
  if (deployment === null) throw new Error('Its files are missing.')
  return deployment.url.replace(/\/$/, '')
}
