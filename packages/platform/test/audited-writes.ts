import type { Statement } from '../src/storage/database.ts'
import type { Watch } from './account-first.ts'

/**
 * Tables whose rows record no decision: counters, leases, queues, caches and data that expires. A change of any other
 * table needs an entry of the audit log in the same transaction, also in tables that do not exist yet.
 */
const unaudited = new Set([
  // The log itself.
  'audit_entries',
  'audit_unsealed',
  'audit_seals',
  'audit_chains',
  // Messages between processes, and the history of the schema.
  'processes',
  'shared_time',
  'schema_state',
  'migrations',
  'code_recipients',
  'code_key_wraps',
  // Keys that the platform makes for itself; apps/docs/pages/security/keys.md tells where their history is.
  'vault_keys',
  'data_keys',
  'data_key_wraps',
  'reseals',
  'key_uses',
  'security_codes',
  'frame_passes',
  // The search index, derived from other tables.
  'search_words',
  // Limits, and answers kept for a repeated request.
  'rate_buckets',
  'idempotency_keys',
  'low_value_payments',
  'velocity_subjects',
  'velocity_entries',
  // Events and their way to the endpoints, which have logs of their own.
  'events',
  'event_counts',
  'delivery_counts',
  'statistics_counts',
  'statistics_folds',
  'webhook_deliveries',
  // Requests that were refused, which changed nothing by that.
  'failed_requests',
  // Notifications of processors: the entries are of the payments that they change.
  'processor_notifications',
  // Answers of merchants' servers, which orders keep.
  'hook_answers',
  // Bytes without an owner yet, or any more; messages of 3-D Secure; tokens that a session no longer has.
  'plugin_blobs',
  'threeds_messages',
  'replaced_session_tokens',
  // Sign-ins that have begun: the entry is of the session they end in.
  'sign_in_ceremonies',
  // Another company's database.
  'simulator_charges',
  'simulator_orders',
  'simulator_moves',
  'simulator_reversals',
  'acs_transactions',
  'acs_controls',
])

/** Statements on audited tables that decide nothing, each with its reason. */
const exempt: readonly RegExp[] = [
  // A key or session was used.
  /^\s*UPDATE api_keys SET last_used_at/,
  /^\s*UPDATE funnel_sessions SET token_expires_at/,
  /^\s*UPDATE member_sessions SET last_used_at/,
  /^\s*DELETE FROM member_sessions WHERE expires_at/,
  // A process takes work that another has left, or gives it back.
  /^\s*UPDATE (payments|payment_follow_ups|subscriptions|threeds_sessions) SET (lease_until|holder)\b/,
  /^\s*WITH due AS MATERIALIZED/,
  // The next attempt of a payment under way, whose entry names all of them at its end.
  /^\s*UPDATE payment_attempts\s/,
  /^\s*INSERT INTO payment_attempts\s/,
  // How a processor calls a capture or refund that is under way, whose entry comes with its outcome.
  /^\s*UPDATE payment_follow_ups SET reference/,
  // A browser's claim about a challenge, which decides nothing.
  /^\s*UPDATE threeds_sessions SET (notified_at|method_notified_at)/,
  // The health of an endpoint, which its deliveries tell.
  /^\s*UPDATE webhook_endpoints\s+SET failing_since/,
  // Where a card was sent from, which is forgotten after a while.
  /^\s*UPDATE card_tokens SET frame_session = NULL/,
  // Cards that nobody has redeemed in their time, and their tokens.
  /^\s*DELETE FROM (cards|card_tokens) WHERE \(account_id, id\) IN/,
  // How far an erasure has come, where a page had nothing to erase.
  /^\s*UPDATE customer_erasures SET (step|progress)/,
  // Uploads that no deployment refers to.
  /^\s*DELETE FROM plugin_assets WHERE created_at/,
  // The same secret, sealed under a newer key.
  /^\s*UPDATE \w+ SET (sealed_\w+|credentials|secrets) = \? WHERE (account_id = \? AND )?id = \? AND/,
]

const CHANGE = /^\s*(?:WITH[\s\S]*?\)\s*)?(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/

/** Every transaction that changes an audited table has to record the change, or the log could not be complete. */
export function auditedWrites(): Watch {
  const silent = new Set<string>()
  return {
    over(watched) {
      const write = watched.write.bind(watched)
      watched.write = (transaction) => {
        if (!transaction.some(({ sql }) => sql.startsWith('INSERT INTO audit_entries'))) {
          const changing = transaction.filter(needsEntry)
          if (changing.length > 0) silent.add(changing.map(({ sql }) => sql).join(';\n'))
        }
        return write(transaction)
      }
      return { ...watched, write }
    },
    end() {
      if (silent.size === 0) return
      throw new Error(`Transactions that leave no entry in the audit log:\n${[...silent].join('\n\n')}`)
    },
  }
}

function needsEntry({ sql }: Statement): boolean {
  const table = CHANGE.exec(sql)?.[1]
  return table !== undefined && !unaudited.has(table) && !exempt.some((each) => each.test(sql))
}
