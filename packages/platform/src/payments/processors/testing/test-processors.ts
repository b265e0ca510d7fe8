import { bankSimulator } from '@tillwright/bank-simulator'
import type { Config } from '../../../config.ts'
import { startLocal, type LocalPlatform } from '../../../local/start-local.ts'
import type { Surroundings } from '../../../platform.ts'
import { createTables } from '../../../storage/migrate.ts'
import { simulatorOf } from '../simulator.ts'

/**
 * Starts a platform under test with the simulator. Production has none: there, a driver that says it moves money stands in
 * for a real processor under the same name.
 */
export async function startWithProcessors(
  config: Config,
  shopUrl: string,
  { processors = [], ...surroundings }: Surroundings,
): Promise<LocalPlatform> {
  if (config.environment !== 'production') {
    return startLocal(config, shopUrl, { ...surroundings, processors, simulator: bankSimulator })
  }
  const real = { ...simulatorOf(bankSimulator), capabilities: { movesMoney: true } }
  const platform = await startLocal(config, shopUrl, { ...surroundings, processors: [real, ...processors] })
  await createTables(platform.parts.db, bankSimulator.tables)
  return platform
}
