import type { Services } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { pick, rowReader } from '../storage/index.ts'
import { openedProcessor } from './open-drivers.ts'
import type { SecretCheck } from './processor-driver.ts'
import type { ProcessorRegistry } from './registry.ts'
import { processorsTable } from './tables.ts'

/**
 * Asks a processor whether it accepts its secret. One that is archived is asked too, because refunds still go through it.
 *
 * @throws {ApiError} `resource_missing`; `state_conflict` where there is no secret to check, or no driver.
 */
export async function checkSecret(
  { processorId, accountId }: { processorId: string; accountId: string },
  registry: Pick<ProcessorRegistry, 'find'>,
  services: Pick<Services, 'db' | 'clock' | 'secrets'>,
): Promise<SecretCheck> {
  const sql = 'SELECT driver, config, sealed_secret FROM processors WHERE account_id = ? AND id = ?'
  const [row] = readProcessors(await services.db.read(sql, [accountId, processorId]))
  if (row === undefined) throw missing('processor', processorId, 'processorId')
  const driver = registry.find(row.driver)
  if (driver === null)
    throw new ApiError('state_conflict', `This platform has no driver '${row.driver}' for processors.`)
  if (driver.checkSecret === undefined || row.sealed_secret === null) {
    throw new ApiError('state_conflict', `The processor ${processorId} has no secret that could be checked.`)
  }
  return driver.checkSecret(openedProcessor(row, { processorId, accountId, driver, services }))
}

const readProcessors = rowReader(pick(processorsTable, 'driver', 'config', 'sealed_secret'))
