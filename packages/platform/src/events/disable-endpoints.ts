import { recordNow, worker } from '../audit/index.ts'
import type { Services } from '../request-context.ts'
import type { Statement } from '../storage/index.ts'
import { ENDPOINT_PATIENCE_MS, type Outcome } from './attempt-delivery.ts'
import { triesByEndpoint } from './delivery-outcomes.ts'
import { emit, emitterAt } from './emit.ts'

/**
 * The transactions that disable endpoints, once their outcomes have been recorded: those that answered 410, and those that have
 * acknowledged nothing for five days. Each has its event and its entry in the audit log, and is refused where the endpoint has
 * recovered or was changed meanwhile.
 */
export function disablingWrites(
  outcomes: readonly Outcome[],
  nowMs: number,
  services: Pick<Services, 'clock' | 'randomness' | 'secrets'>,
): Statement[][] {
  return triesByEndpoint(outcomes).flatMap(({ accountId, endpointId, tries }) => {
    const isGone = tries.some(({ verdict }) => verdict.outcome === 'gone')
    const failedBeforeMs = isGone ? nowMs : nowMs - ENDPOINT_PATIENCE_MS
    const hasFailed = tries.every(
      ({ verdict, failingSinceMs }) => verdict.outcome !== 'delivered' && (failingSinceMs ?? nowMs) <= failedBeforeMs,
    )
    if (!isGone && !hasFailed) return []
    const change = {
      accountId,
      actor: worker('webhooks'),
      operation: 'webhooks.disable',
      resource: { type: 'webhookEndpoint', id: endpointId },
      before: { enabled: true },
      after: { enabled: false },
    }
    const properties = { webhookEndpointId: endpointId, changed: ['enabled'] }
    return [
      [
        { sql: disable, params: [accountId, endpointId, failedBeforeMs], expect: 1 },
        ...emit('s_webhook_endpoint_updated', { properties }, emitterAt(accountId, services)),
        ...recordNow(change, services),
      ],
    ]
  })
}

const disable = `UPDATE webhook_endpoints SET enabled = 0, revision = revision + 1
  WHERE account_id = ? AND id = ? AND enabled = 1 AND failing_since <= ?`
