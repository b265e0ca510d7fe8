import { emit, emitterAt } from '../events/index.ts'
import type { Services } from '../request-context.ts'
import { startWorker } from '../runtime/index.ts'
import { type PersonalTable, pick, rowReader } from '../storage/index.ts'
import { eraseNextPage, type PendingErasure } from './erasures.ts'
import { customerErasuresTable } from './tables.ts'

/** How often erasures are looked for that have begun. */
const LOOK_EVERY_MS = 1_000
const AT_ONCE = 20

/** What the worker needs, besides the services. */
export interface EraseCustomers extends Services {
  tables: readonly PersonalTable[]
  /** Signals that there are webhooks to deliver. */
  wake: () => void
}

/**
 * Brings erasures to their end, also those of processes that have died, and tells of each by `s_customer_erased`.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startErasing(services: EraseCustomers): () => Promise<void> {
  const { db, clock, cluster, log, wake } = services
  const finish = ({ account_id: accountId, id, customer_id: customerId, store_id: storeId }: PendingErasure) => {
    const properties = { customerId, erasureId: id }
    return emit('s_customer_erased', { storeId, customerId, properties }, emitterAt(accountId, services))
  }
  return startWorker({
    clock,
    everyMs: LOOK_EVERY_MS,
    leads: () => cluster.mayLead(),
    async look(stopping) {
      for (const pending of readPending(await db.read(selectPending, [AT_ONCE]))) {
        let erasure: PendingErasure | null = pending
        while (erasure !== null && !stopping.aborted) {
          erasure = await eraseNextPage(erasure, { ...services, finish })
        }
        wake()
      }
    },
    onError: (error) => log.error({ err: error }, 'customers could not be erased; trying again'),
  })
}

const selectPending = `SELECT account_id, id, customer_id, store_id, step, progress FROM customer_erasures
  WHERE status = 'pending' ORDER BY created_at LIMIT ?`
const readPending = rowReader(
  pick(customerErasuresTable, 'account_id', 'id', 'customer_id', 'store_id', 'step', 'progress'),
)
