import type { Config } from '../config.ts'
import { type Platform, startPlatform, type Surroundings } from '../platform.ts'
import type { Clock } from '../runtime/index.ts'
import { followLocalClock } from './local-clock.ts'
import { type LocalFile, makeLocalFolder, removeLocalFile, writeLocalFile } from './local-file.ts'
import { localMasterKey } from './master-key.ts'
import { seedLocalAccount } from './seed.ts'

/** A local platform with an account in it. */
export interface LocalPlatform extends Platform {
  /** All that `local.json` will say, but for the shop. */
  local: LocalFile
  /** Writes `local.json`: call it last, when everything answers. */
  announce: (shopUrl: string | null) => Promise<void>
}

/**
 * Starts a platform for one developer on this machine: makes the vault's key and an account, or finds those of the last
 * start.
 *
 * @param shopUrl Where the developer's shop is, or will be: its page may hold the card form, and webhooks go to its
 *   `/webhooks`.
 * @param surroundings With the simulator: a local account has no other processors.
 */
export async function startLocal(config: Config, shopUrl: string, surroundings: Surroundings): Promise<LocalPlatform> {
  const folder = config.home
  await makeLocalFolder(folder)
  const vaultKey = config.vaultKey ?? (await localMasterKey(config))
  const { clock, stop: stopClock } =
    surroundings.clock === undefined ? await followLocalClock(folder) : given(surroundings.clock)
  const started = await startPlatform({ ...config, vaultKey }, { ...surroundings, clock }).catch((error: unknown) => {
    stopClock()
    throw error
  })
  const platform = {
    ...started,
    stop: async () => {
      await started.stop()
      stopClock()
    },
  }
  const { webhookEndpointId: _, ...seed } = await seedLocalAccount(platform.parts, { folder, shopUrl }).catch(
    async (error: unknown) => {
      await platform.stop()
      throw error
    },
  )
  const { apiUrl, vaultUrl } = platform
  const local = { apiUrl, vaultUrl, shopUrl: null, ...seed, pid: process.pid }
  return {
    ...platform,
    local,
    announce: (runningShopUrl) => writeLocalFile(folder, { ...local, shopUrl: runningShopUrl }),
    stop: async () => {
      await removeLocalFile(folder)
      await platform.stop()
    },
  }
}

/** A clock that somebody else moves. */
function given(clock: Clock): { clock: Clock; stop: () => void } {
  return { clock, stop: () => {} }
}
