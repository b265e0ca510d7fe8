import { type PersonalTable, removed, secretly } from '../storage/index.ts'

/** Sessions hold what a buyer has typed. They are deleted when nothing happens in them, and with their customer. */
export const funnelsPersonalData: PersonalTable[] = [
  {
    table: 'funnel_sessions',
    key: ['id'],
    customer: 'customer_id',
    by: 'id',
    belongsTo: [{ table: 'payments', column: 'funnel_session_id' }],
    isDeleted: true,
    columns: {
      id: removed,
      customer_id: removed,
      resource: removed,
      state: removed,
      token_hash: secretly(removed),
      started_at: removed,
      last_activity_at: removed,
    },
    others: 'account_id store_id is_preview revision token_expires_at code_hash code_expires_at',
  },
]
