import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundLocal } from '../target/find-local.ts'

/** A local platform that runs in this process. */
export interface OwnPlatform extends FoundLocal {
  stop: () => Promise<void>
}

/** Where a shop would be, which local platforms want to know; `tillwright dev` has none. */
const NO_SHOP = 'http://localhost:4410'

/** Starts the local platform in this process, so that other commands find it too. Its state is kept in a folder. */
export async function startOwnPlatform(home: string): Promise<OwnPlatform> {
  const { createPlatformLog, readConfig, startLocal } = await import('@tillwright/platform')
  const { bankSimulator } = await import('@tillwright/bank-simulator')
  const config = readConfig({ ...process.env, TILLWRIGHT_HOME: home, TILLWRIGHT_ENVIRONMENT: 'local' })
  await mkdir(home, { recursive: true, mode: 0o700 })
  const platform = await startLocal(config, NO_SHOP, {
    log: createPlatformLog(config, join(home, 'platform.log')),
    simulator: bankSimulator,
  })
  await platform.announce(null)
  return { home, file: platform.local, stop: platform.stop }
}

/** Makes a publishable key on a local platform, which needs no restart for it. */
export async function makeLocalKey(
  home: string,
  wanted: { store: string; origins: readonly string[] },
): Promise<string> {
  const { openOperator, readConfig } = await import('@tillwright/platform')
  const operator = await openOperator(
    readConfig({ ...process.env, TILLWRIGHT_HOME: home, TILLWRIGHT_ENVIRONMENT: 'local' }),
  )
  try {
    return (await operator.keys.createPublishable({ ...wanted, name: 'Plugin pages of tillwright dev' })).key
  } finally {
    await operator.close()
  }
}
