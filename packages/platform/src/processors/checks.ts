import type { Services } from '../request-context.ts'
import { OperatorError } from '../runtime/index.ts'
import { pick, rowReader } from '../storage/index.ts'
import type { ProcessorRegistry } from './registry.ts'
import { paymentFlowsTable, processorsTable } from './tables.ts'

/** Thrown when production would answer real buyers with a processor that moves no money. */
export class SimulatedProcessor extends OperatorError {
  override readonly name = 'SimulatedProcessor'
}

/**
 * Refuses to start in production while a live payment flow uses a simulated processor.
 *
 * @throws {SimulatedProcessor}
 */
export async function refuseSimulators(
  { db, environment }: Pick<Services, 'db' | 'environment'>,
  { simulators, find }: Pick<ProcessorRegistry, 'simulators' | 'find'>,
): Promise<void> {
  if (environment !== 'production') return
  const pretending = new Set(simulators.map(({ name }) => name).filter((name) => find(name) === null))
  const live = await db.read('SELECT id, driver FROM processors WHERE archived_at IS NULL', [])
  const ids = new Set(
    readLive(live)
      .filter((row) => pretending.has(row.driver))
      .map((row) => row.id),
  )
  if (ids.size === 0) return
  const flows = await db.read('SELECT resource FROM payment_flows WHERE archived = 0', [])
  for (const { resource: flow } of readFlows(flows)) {
    const found = [...flow.processorConfigs, ...flow.fallbackProcessorConfigs].find((each) => ids.has(each.processorId))
    if (found === undefined) continue
    throw new SimulatedProcessor(
      `The payment flow ${flow.id} has the simulated processor ${found.processorId}, which moves no money. ` +
        'Archive the one or the other before you start in production.',
    )
  }
}

const readLive = rowReader(pick(processorsTable, 'id', 'driver'))
const readFlows = rowReader(pick(paymentFlowsTable, 'resource'))

/** A processor that is not archived, and whose driver this platform does not have. */
export interface StoppedProcessor {
  id: string
  accountId: string
  driver: string
}

/** Processors of all accounts that take no payments because their driver is not available here. */
export async function stoppedProcessors(
  { db }: Pick<Services, 'db'>,
  { find }: Pick<ProcessorRegistry, 'find'>,
): Promise<StoppedProcessor[]> {
  const rows = await db.read(
    'SELECT account_id, id, driver FROM processors WHERE archived_at IS NULL ORDER BY account_id, id',
    [],
  )
  return readOwned(rows)
    .map((row) => ({ id: row.id, accountId: row.account_id, driver: row.driver }))
    .filter(({ driver }) => find(driver) === null)
}

const readOwned = rowReader(pick(processorsTable, 'account_id', 'id', 'driver'))

/**
 * Looks at all processors at start: refuses simulators in live flows, and tells operators of processors that are stopped,
 * while the others go on.
 *
 * @throws {SimulatedProcessor}
 */
export async function checkProcessors(
  services: Pick<Services, 'db' | 'log' | 'environment'>,
  registry: Pick<ProcessorRegistry, 'find' | 'simulators'>,
): Promise<void> {
  await refuseSimulators(services, registry)
  for (const { id: processorId, ...stopped } of await stoppedProcessors(services, registry)) {
    services.log.error({ processorId, ...stopped }, 'a processor is stopped: this platform has no such driver')
  }
}
