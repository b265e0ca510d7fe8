import { bankSimulator } from '@tillwright/bank-simulator'
import type { Config } from '../../src/config.ts'
import { type LocalPlatform, startLocal } from '../../src/local/start-local.ts'
import type { PlatformDependencies } from '../../src/platform.ts'
import { simulatorDriver, simulatorOf } from '../../src/processors/simulator.ts'
import { createTables } from '../../src/storage/migrate.ts'

/**
 * Starts a platform under test with the simulator. Production has none: there, a driver that says it moves money stands in
 * for a real processor under the same name.
 */
export async function startWithProcessors(
  config: Config,
  shopUrl: string,
  { processors = [], ...dependencies }: PlatformDependencies,
): Promise<LocalPlatform> {
  if (config.environment !== 'production') {
    return startLocal(config, shopUrl, { ...dependencies, processors, simulator: bankSimulator })
  }
  const real = { ...simulatorOf(bankSimulator), capabilities: { ...simulatorDriver.capabilities, movesMoney: true } }
  const platform = await startLocal(config, shopUrl, { ...dependencies, processors: [real, ...processors] })
  await createTables(platform.services.db, bankSimulator.tables)
  return platform
}
