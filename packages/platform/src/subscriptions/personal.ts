import { kept, type PersonalTable } from '../storage/index.ts'

const books = kept('records_of_sales')

/** Agreements and usage, from which bills were made. */
export const subscriptionsPersonalData: PersonalTable[] = [
  {
    table: 'subscriptions',
    key: ['id'],
    customer: 'customer_id',
    columns: {
      id: books,
      customer_id: books,
      payment_instrument_id: books,
      status: books,
      terms: books,
      item_changes: books,
      period: books,
      due_at: books,
      scheduled_at: books,
      usage_quantity: books,
      canceled_at: books,
      paused_at: books,
      paused_status: books,
      created_at: books,
      updated_at: books,
    },
    others:
      'account_id store_id tries refused_instrument_id network_transaction_id renewal_payment_id single_key cancel_at_period_end holder lease_until',
  },
  {
    table: 'usage_records',
    key: ['subscription_id', 'id'],
    by: 'subscription_id',
    belongsTo: [{ table: 'subscriptions', column: 'id' }],
    columns: {
      subscription_id: books,
      id: books,
      quantity: books,
      period: books,
      occurred_at: books,
      created_at: books,
    },
    others: 'account_id',
  },
]
