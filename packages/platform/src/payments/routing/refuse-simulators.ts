import type { PaymentFlow } from '@tillwright/contract'
import { OperatorError } from '../../ambient/operator-error.ts'
import type { Parts } from '../../call.ts'

/** Thrown when production would answer real buyers with a processor that moves no money. */
export class SimulatedProcessor extends OperatorError {
  override readonly name = 'SimulatedProcessor'
}

/**
 * Refuses to start in production while a simulated processor stands in a live payment flow.
 *
 * @throws {SimulatedProcessor}
 */
export async function refuseSimulators({ db, environment }: Pick<Parts, 'db' | 'environment'>): Promise<void> {
  if (environment !== 'production') return
  const simulated = await db.read("SELECT id FROM processors WHERE driver = 'simulator' AND archived_at IS NULL", [])
  const ids = new Set(simulated.map((row) => String(row['id'])))
  if (ids.size === 0) return
  for (const row of await db.read('SELECT resource FROM payment_flows WHERE archived_at IS NULL', [])) {
    const flow: PaymentFlow = JSON.parse(String(row['resource']))
    const found = [...flow.processorConfigs, ...flow.fallbackProcessorConfigs].find((each) => ids.has(each.processorId))
    if (found === undefined) continue
    throw new SimulatedProcessor(
      `The payment flow ${flow.id} has the simulated processor ${found.processorId}, which moves no money. ` +
        'Archive the one or the other before you start in production.',
    )
  }
}
