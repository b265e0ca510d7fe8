import { type Backlog, backlogOf } from '../cluster/index.ts'
import { emit, emitterAt } from '../events/index.ts'
import type { Services } from '../request-context.ts'
import { failuresOf, startWorker } from '../runtime/index.ts'
import { type Database, type PersonalTable, pick, rowReader } from '../storage/index.ts'
import { eraseNextPage, type PendingErasure } from './erasures.ts'
import { customerErasuresTable } from './tables.ts'

/** How often erasures are looked for that have begun. */
const LOOK_EVERY_MS = 1_000
const AT_ONCE = 20

/** Services of the worker, with the tables that it erases from. */
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
  const eraseOne = async (pending: PendingErasure, stopping: AbortSignal) => {
    let erasure: PendingErasure | null = pending
    while (erasure !== null && !stopping.aborted) erasure = await eraseNextPage(erasure, { ...services, finish })
  }
  return startWorker({
    clock,
    everyMs: LOOK_EVERY_MS,
    leads: () => cluster.mayLead(),
    async look(stopping) {
      const failures: unknown[] = []
      for await (const pending of allPending(db)) {
        await eraseOne(pending, stopping).catch((error: unknown) => failures.push(error))
        wake()
      }
      if (failures.length > 0) throw failures[0]
    },
    onDone: () => cluster.finished('erasures'),
    ...failuresOf(log, { worker: 'erasures', message: 'customers could not be erased; trying again' }),
  })
}

/** The oldest first. One that fails or waits for a payment holds up no other, however many do. */
async function* allPending(db: Database): AsyncGenerator<PendingErasure> {
  for (let last: [number, string] | null = [-1, '']; last !== null;) {
    const rows = readPending(await db.read(selectPending, [...last, AT_ONCE]))
    yield* rows
    const end = rows.length < AT_ONCE ? undefined : rows.at(-1)
    last = end === undefined ? null : [end.created_at, end.id]
  }
}

const selectPending = `SELECT account_id, id, customer_id, store_id, step, progress, created_at FROM customer_erasures
  WHERE status = 'pending' AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`
const readPending = rowReader(
  pick(customerErasuresTable, 'account_id', 'id', 'customer_id', 'store_id', 'step', 'progress', 'created_at'),
)

/** The erasures that are under way. */
export function pendingErasures(db: Database): Promise<Backlog> {
  return backlogOf(
    `SELECT created_at AS since FROM customer_erasures WHERE status = 'pending' ORDER BY created_at`,
    [],
    db,
  )
}
