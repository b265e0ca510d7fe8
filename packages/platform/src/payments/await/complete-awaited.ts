import type { Payment } from '@tillwright/contract'
import { contentOf, recordNow, worker } from '../../audit/index.ts'
import { type FairWork, startFairWork, workOnce } from '../../cluster/index.ts'
import { type Emitter, emitterAt } from '../../events/index.ts'
import { emitterOf, paymentsTable, readPayment, withoutErrors } from '../../ledger/index.ts'
import { promotionsOf } from '../../orders/index.ts'
import type { Reply } from '../../request-context.ts'
import type { Charging } from '../../routing/index.ts'
import { pick, type RowOf, rowReader } from '../../storage/index.ts'
import { queryAttempt } from '../charge/index.ts'
import { bringBack } from '../../subscriptions/index.ts'
import { isKnown, recordOutcome, withoutKnownNews } from '../complete/index.ts'
import { awaitOutcome } from './await-outcome.ts'

/** Services for completing a payment that waits. */
export interface Completing {
  emitter: Emitter
  charging: Pick<Charging, 'services' | 'driverOf'>
}

/**
 * Asks the processor for the outcome of an awaited payment: the writes, and the answer for the caller. The
 * word of a page or a buyer counts for nothing.
 *
 * @param returned The parameters of the address at which the buyer came back; `null` where no buyer did.
 */
export async function completeAwaited(
  payment: Payment,
  returned: Readonly<Record<string, string>> | null,
  { emitter, charging }: Completing,
): Promise<Reply<Payment>> {
  const outcome = await queryAttempt(payment, charging, returned)
  if (outcome.outcome === 'redirect' || outcome.outcome === 'pending')
    return awaitOutcome(payment, outcome, { emitter })
  if (!isKnown(outcome)) return { body: payment }
  const applied = await promotionsOf(payment.orderId, payment.accountId, charging.services.db)
  const news = await withoutKnownNews(outcome, payment, charging.services.db)
  return recordOutcome({ payment, applied, stopped: 'recovered' }, news, emitter)
}

/** How many are asked for at once. */
const PLACES = 64

/**
 * Asks for payments whose next time to ask has come, of buyers who never came back as well.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startAwaited(charging: Charging, looking: Parameters<typeof startFairWork>[2]): () => Promise<void> {
  return startFairWork(awaitedWork(charging), charging.services, looking)
}

/** Asks for those whose time has come now, once. */
export async function recoverAwaited(charging: Charging): Promise<void> {
  await workOnce(awaitedWork(charging), charging.services)
}

function awaitedWork(charging: Charging): FairWork<DueRow> {
  return { due: [awaitedPayments], read: readDue, work: (row) => tryToComplete(row, charging), places: PLACES }
}

const awaitedPayments = {
  table: 'payments',
  among: 'expires_at IS NOT NULL',
  isDue: 'lease_until < ?',
  params: (nowMs: number) => [nowMs],
  orderBy: 'lease_until',
  columns: 'account_id, id',
  freed: 'lease_until = 1',
}
const dueColumns = pick(paymentsTable, 'account_id', 'id')
const readDue = rowReader(dueColumns)
type DueRow = RowOf<typeof dueColumns>

/** One that cannot be completed must not hold up the others; it is asked for again when its lease is over. */
async function tryToComplete({ account_id: accountId, id }: DueRow, charging: Charging): Promise<void> {
  const { services } = charging
  try {
    const payment = await readPayment(id, accountId, services.db)
    if (payment === null || payment.expiresAt === null) return
    const emitter = emitterOf(payment, emitterAt(accountId, services))
    const reply = await completeAwaited(payment, null, { emitter, charging })
    await commitOutcome(payment, reply, charging)
  } catch (error) {
    services.log.error({ err: error, paymentId: id }, 'a payment could not be asked for; trying again')
  }
}

/** Commits the outcome of a payment, for workers and returns. @returns `false` where another process was faster. */
export async function commitOutcome(
  payment: Payment,
  reply: Reply<Payment>,
  { services, apiUrl }: Pick<Charging, 'services' | 'apiUrl'>,
): Promise<boolean> {
  const completing = reply.writes ?? []
  if (completing.length === 0) return true
  const emitter = emitterAt(payment.accountId, services)
  const writes = [...completing, ...(await bringBack({ payment, reply }, { apiUrl, services }, emitter))]
  const isSame = 'body' in reply && reply.body.status === payment.status
  const change = {
    accountId: payment.accountId,
    actor: worker('payment-recovery'),
    operation: 'payments.recover',
    resource: { type: 'payment', id: payment.id },
    before: payment,
    after: contentOf(reply),
  }
  const recorded = isSame ? [] : recordNow(change, services)
  const written = await services.db.write(withoutErrors([...writes, ...recorded]))
  return written.outcome === 'committed'
}
