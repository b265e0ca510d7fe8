import { type PersonalTable, removed, replaced, type Row, type Value } from '../storage/index.ts'

/**
 * Changes of a customer, and of the customer's resources. They are erased by `eraseChanges`, which the log can account
 * for; who made the change, when and on which resource stays. Entries of erasures are no person's, and erased entries
 * have nothing left.
 */
export const auditPersonalData: PersonalTable[] = [
  {
    table: 'audit_entries',
    key: ['id'],
    by: 'resource_id',
    belongsTo: [
      { table: 'customers', column: 'id' },
      { table: 'payment_instruments', column: 'id' },
      { table: 'payment_instruments', column: 'card_id' },
      { table: 'orders', column: 'id' },
      { table: 'payments', column: 'id' },
      { table: 'payments', column: 'funnel_session_id' },
      { table: 'payment_follow_ups', column: 'id' },
      { table: 'refund_requests', column: 'id' },
      { table: 'disputes', column: 'id' },
      { table: 'subscriptions', column: 'id' },
      { table: 'threeds_sessions', column: 'id' },
      { table: 'threeds_sessions', column: 'external_session_id' },
      { table: 'funnel_sessions', column: 'id' },
      { table: 'events', column: 'properties', field: 'sessionId' },
    ],
    spares: ({ operation, erased_by: erasedBy }) => String(operation).endsWith('.erase') || erasedBy !== null,
    columns: {
      changes: removed,
      address: replaced('nothing, where the customer made the request', ofOthers),
      user_agent: replaced('nothing, where the customer made the request', ofOthers),
    },
    others:
      'account_id id actor_kind actor_id actor_name operation resource_type resource_id status request_id changes_mac mac erased_by created_at',
    exported: withoutOthers,
  },
]

/** Where people who work for the merchant made a request is nothing of the customer's. */
function ofOthers(value: Value, { actor_kind: kind }: Row): Value {
  return kind === 'session' ? null : value
}

function withoutOthers(row: Row): Row {
  const { actor_kind: kind } = row
  return kind === 'session' ? row : { ...row, address: null, user_agent: null }
}
