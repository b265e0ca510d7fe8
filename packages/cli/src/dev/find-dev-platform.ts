import { join, resolve } from 'node:path'
import type { DevPlatform, FindPlatform } from '@tillwright/plugin-dev'
import { findLocalHome, type FoundLocal } from '../target/find-local.ts'
import { findTarget } from '../target/find-target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import type { DevCommandOptions } from './dev-options.ts'
import { makeLocalKey, startOwnPlatform, type OwnPlatform } from './own-platform.ts'
import { readVaultUrl } from './read-vault-url.ts'

const ANSWER_MS = 2_000

/** How a dev server finds its platform, and how one that was started for it ends. */
export interface PlatformSource {
  find: FindPlatform
  stop: () => Promise<void>
}

/** The options that say which platform. */
export type PlatformOptions = Pick<DevCommandOptions, 'target' | 'url' | 'publishableKey'>

/**
 * The platform that a plugin is tried on: the one that is named, else the local one, which is started here if none runs.
 * Its state is kept in the plugin's folder.
 *
 * @throws {CommandFailed} For production: nothing that is being written goes there.
 */
export function findDevPlatform(folder: string, options: PlatformOptions): PlatformSource {
  if (options.target === 'production') {
    throw new CommandFailed(
      '--target: a plugin is tried on a local or a development platform, never in production.',
      'usage',
    )
  }
  if (options.target === 'development') return { find: () => findRemote(options), stop: async () => {} }
  let own: Promise<OwnPlatform> | null = null
  return {
    async find() {
      const running = own === null ? await findRunning(folder) : null
      if (running !== null) return fromLocal(running)
      own ??= startOwnPlatform(process.env['TILLWRIGHT_HOME'] || join(resolve(folder), '.tillwright'))
      const { home, file } = await own
      return fromLocal({ home, file })
    },
    async stop() {
      await (await own)?.stop()
    },
  }
}

async function findRunning(folder: string): Promise<FoundLocal | null> {
  const found = await findLocalHome(process.env, folder)
  if (found === null) return null
  const { apiUrl } = found.file
  const isThere = await fetch(`${apiUrl}/health`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    () => false,
  )
  return isThere ? found : null
}

function fromLocal({ home, file }: FoundLocal): DevPlatform {
  const { apiUrl, vaultUrl, adminApiKey, storeId } = file
  return {
    environment: 'local',
    apiUrl,
    vaultUrl,
    apiKey: adminApiKey,
    storeId,
    makePublishableKey: (store, origins) => makeLocalKey(home, { store, origins }),
  }
}

async function findRemote(options: PlatformOptions): Promise<DevPlatform> {
  const { apiUrl, apiKey, storeId } = await findTarget(options)
  const key = options.publishableKey ?? null
  return {
    environment: 'development',
    apiUrl,
    vaultUrl: await readVaultUrl(apiUrl),
    apiKey,
    storeId,
    makePublishableKey: async () => key,
  }
}
