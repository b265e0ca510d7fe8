import { recordNow, worker } from '../audit/index.ts'
import { withoutErrors } from '../ledger/index.ts'
import type { Services, Write } from '../request-context.ts'
import type { SubscriptionRecord } from '../subscriptions/index.ts'

/** A step of a renewal, for the audit log. */
export interface RenewalChange {
  record: SubscriptionRecord
  operation: string
  after: unknown
}

/** Commits a step of a renewal with its entry; `false` when somebody else was faster. */
export async function commit(
  writes: readonly Write[],
  { record, operation, after }: RenewalChange,
  services: Services,
): Promise<boolean> {
  if (writes.length === 0) return true
  const { accountId, id, status } = record
  const resource = { type: 'subscription', id }
  const change = { accountId, actor: worker('renewals'), operation, resource, before: { status }, after }
  const outcome = await services.db.write(withoutErrors([...writes, ...recordNow(change, services)]))
  return outcome.outcome === 'committed'
}
