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
  /**
   * Creates a plugin, changes the settings of its default preset, and publishes it.
   *
   * @returns Its address.
   */
  publish: (folder: string, words: readonly string[], settings: Readonly<Record<string, string>>) => Promise<string>
  stop: () => Promise<void>
}

/** Starts a platform, and packs what creates plugins. */
export async function publishedPlugins(): Promise<PublishedPlugins> {
  const [packed, local] = await Promise.all([packCreatePlugin(), startLocal()])
  await packed.addPackages()
  const { apiKey, apiUrl, storeId, productId } = local.file
  const client = createClient({ apiKey, baseUrl: apiUrl })
  const [first, second] = (await client.products.get({ productId })).variants
  return {
    client,
    storeId,
    variants: [first?.id ?? '', second?.id ?? ''],
    async publish(folder, words, settings) {
      const made = await packed.createPlugin([folder, '--no-install', ...words])
      if (made.code !== 0) throw new Error(made.err)
      const root = join(packed.folder, folder)
      await changeSettings(root, settings)
      // The tests visit the pages themselves.
      const { code, out, err } = await runCommand(['publish', root, '--json', '--no-visit'], {
        TILLWRIGHT_HOME: local.home,
        CHROME_PATH: process.env['CHROME_PATH'] ?? '',
        PATH: process.env['PATH'] ?? '',
      })
      if (code !== 0) throw new Error(err + out)
      return JSON.parse(out).published.url
    },
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
