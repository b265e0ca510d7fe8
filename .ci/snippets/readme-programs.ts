import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { firstVariant } from '../../packages/plugin-sdk/test/local-page.ts'
import { pluginFolder } from '../../packages/plugin-sdk/test/plugin-folder.ts'
import type { DevServer } from '../../packages/plugin-dev/src/index.ts'
import { newInstrument } from '../../packages/platform/test/pay-with-card.ts'
import type { TestPlatform } from '../../packages/platform/test/test-platform.ts'
import { freePort } from '../free-port.ts'
import { deliveredWebhook } from './deliveries.ts'
import type { ProgramReader } from './run-pages.ts'
import type { Names } from './run-snippet.ts'

/** The READMEs whose programs are run, and what they take for granted. That of `emv-3ds` has a test of its own. */
export const readmePrograms: Readonly<Record<string, ProgramReader>> = {
  'packages/bank-simulator/README': {
    places: async () => ({ "'.tillwright'": `${JSON.stringify(await newFolder())}, TILLWRIGHT_LOG_LEVEL: 'silent'` }),
    after: (_, __, printed) => expect(printed).toEqual(['200 local']),
  },
  'packages/client/README': {
    having: inServer,
    places: ({ apiUrl }) => ({ 'http://localhost:4400': apiUrl }),
    after: (_, { event, store }) => {
      expect(event).toMatchObject({ type: 's_order_paid' })
      expect(store).toMatchObject({ name: 'Mugs' })
    },
  },
  'packages/contract/README': {
    after: (_, __, printed) => expect(printed[0]).toMatch(/^POST \/api\/public\/v1\/products\/create /),
  },
  'packages/design-tokens/README': {},
  'packages/platform/README': {
    having: onServer,
    after: (_, __, printed) => expect(printed).toEqual(['https://api.shop.example https://vault.shop.example']),
  },
  'packages/plugin-build/README': {
    places: async () => ({ ...(await madePlugin()), "'out'": JSON.stringify(await newFolder()) }),
    after: (_, { files }) => expect(files).not.toEqual([]),
  },
  'packages/plugin-dev/README': {
    having: ({ local }) => ({ process: { env: { TILLWRIGHT_API_KEY: local.adminApiKey } } }),
    places: async ({ apiUrl, vaultUrl }) => {
      const urls = { 'http://localhost:4400': apiUrl, 'http://localhost:4401': vaultUrl }
      return { ...urls, ...(await madePlugin()) }
    },
    after: showPage,
  },
  'packages/plugin-publish/README': {
    having: ({ apiUrl, local }) => ({ apiUrl, apiKey: local.adminApiKey, storeId: local.storeId }),
    places: madePlugin,
    after: (_, { url }) => expect(url).toMatch(/^http:\/\/\w+\.plugins\.localhost:/),
  },
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-readme-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A plugin of one page, in the place of the one that the text names. */
async function madePlugin(): Promise<Record<string, string>> {
  const manifest = { pluginId: 'readme', name: 'Readme', version: '1.0.0', pages: [{ id: 'home', path: '/' }] }
  const page = `document.querySelector('#app')!.textContent = 'Hello'\n`
  const folder = await pluginFolder({ 'plugin.manifest.json': JSON.stringify(manifest), 'src/pages/home.ts': page })
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { './my-plugin': folder }
}

async function showPage(_: TestPlatform, { dev }: Names): Promise<void> {
  const { url, stop } = dev as DevServer // the snippet starts it, and its types are checked
  onTestFinished(stop)
  expect(await (await fetch(url)).text()).toContain('id="app"')
}

/** A webhook that has come, and a payment to make. */
async function inServer(platform: TestPlatform): Promise<Names> {
  const { adminApiKey, storeId } = platform.local
  const { body, headers, secret } = await deliveredWebhook(platform)
  const { id: paymentInstrumentId } = await newInstrument(platform)
  const lines = [{ variantId: await firstVariant(platform) }]
  const env = { TILLWRIGHT_API_KEY: adminApiKey, TILLWRIGHT_WEBHOOK_SECRET: secret }
  return { body, headers, process: { env }, payment: { storeId, paymentInstrumentId, currency: 'USD', lines } }
}

/** The settings of a server, and a signal to stop that comes with the end of the test. */
async function onServer(): Promise<Names> {
  const env = {
    TILLWRIGHT_ENVIRONMENT: 'development',
    TILLWRIGHT_HOME: await newFolder(),
    TILLWRIGHT_HOST: '127.0.0.1',
    TILLWRIGHT_PORT: String(await freePort()),
    TILLWRIGHT_VAULT_PORT: String(await freePort()),
    TILLWRIGHT_API_URL: 'https://api.shop.example',
    TILLWRIGHT_VAULT_URL: 'https://vault.shop.example',
    TILLWRIGHT_PLUGINS_URL: 'https://plugins.shop-pages.example',
    TILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    TILLWRIGHT_LOG_LEVEL: 'silent',
    TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64'),
    TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
  }
  return { process: { env, once: (_signal: string, stop: () => void) => onTestFinished(stop) } }
}
