import type { Funnel, FunnelSession, Payment } from '@tillwright/contract'
import type { Call, Write } from '../call.ts'
import { findFunnel } from '../funnels/funnel-rows.ts'
import { readPayment } from '../payments/read-payment.ts'
import { untouched, type SessionState } from './session-state.ts'

/** A session with all that its page is shown of. */
export interface BuyersSession {
  session: FunnelSession
  state: SessionState
  /** Guards what is built on it. */
  revision: number
  tokenExpiresAtMs: number
  /** `null` for a session outside of any funnel. */
  funnel: Funnel | null
  /** The last payment that was asked for, or `null`. */
  payment: Payment | null
}

/** Reads the session that the caller's token opens, and nothing that belongs to another. */
export async function readSession({ caller, parts }: Pick<Call, 'caller' | 'parts'>): Promise<BuyersSession> {
  const { accountId, sessionId = '' } = caller
  const [row] = await parts.db.read(selectSession, [accountId, sessionId])
  if (row === undefined) throw new Error(`The session ${sessionId} of a token is gone.`)
  const session: FunnelSession = JSON.parse(String(row['resource']))
  const state: SessionState = { ...untouched, ...JSON.parse(String(row['state'] ?? '{}')) }
  const [stored, payment] = await Promise.all([
    session.funnelId === '' ? null : findFunnel(session.funnelId, accountId, parts.db),
    state.paying === null ? null : readPayment(state.paying.paymentId, accountId, parts.db),
  ])
  const [revision, tokenExpiresAtMs] = [Number(row['revision']), Number(row['token_expires_at'])]
  return { session, state, revision, tokenExpiresAtMs, funnel: stored?.funnel ?? null, payment }
}

const selectSession =
  'SELECT resource, state, revision, token_expires_at FROM funnel_sessions WHERE account_id = ? AND id = ?'

/**
 * Puts a changed session in the place of the one that was read. Guarded by its revision: of two tabs the second reads
 * again.
 */
export function replaceSession({ session, state, revision }: BuyersSession, nowMs: number): Write[] {
  const key = [session.metadata.accountId, session.sessionId]
  const resource: FunnelSession = { ...session, lastActivityAt: nowMs }
  return [
    {
      sql: `UPDATE funnel_sessions SET revision = revision + 1, last_activity_at = ?
        WHERE account_id = ? AND id = ? AND revision = ?`,
      params: [nowMs, ...key, revision],
      expect: 1,
    },
    {
      sql: 'UPDATE funnel_sessions SET resource = ?, state = ? WHERE account_id = ? AND id = ?',
      params: [JSON.stringify(resource), JSON.stringify(state), ...key],
    },
  ]
}

/** Where the order of a session stands: to be changed, being paid, or paid. */
export function orderStanding({ payment }: Pick<BuyersSession, 'payment'>): 'open' | 'paying' | 'placed' {
  switch (payment?.status) {
    case undefined:
    case 'declined':
    case 'failed':
    case 'canceled':
      return 'open'
    case 'created':
    case 'requires_action':
    case 'processing':
      return 'paying'
    case 'authorized':
    case 'succeeded':
    case 'partially_refunded':
    case 'refunded':
      return 'placed'
  }
}

/** The steps at which something was paid in the session. */
export function paidSteps(buyers: Pick<BuyersSession, 'state' | 'payment'>): ReadonlySet<string> {
  const { paidAtStepIds, paying } = buyers.state
  const isPlaced = paying !== null && orderStanding(buyers) === 'placed'
  return new Set([...paidAtStepIds, ...(isPlaced ? [paying.stepId] : [])])
}
