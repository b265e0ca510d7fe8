import { emptied, kept, type PersonalTable, removed, replaced, secretly, zeroed } from '../storage/index.ts'

/** Customers, their instruments, and the tokens that processors gave for their cards. */
export const customersPersonalData: PersonalTable[] = [
  {
    table: 'customers',
    key: ['id'],
    customer: 'id',
    columns: {
      id: kept('name_of_nobody'),
      email: emptied,
      email_key: removed,
      first_name: emptied,
      last_name: emptied,
      details: replaced('no telephone number and no addresses', () => '{}'),
      metadata: replaced('no metadata', () => '{}'),
      created_at: kept('records_of_sales'),
      updated_at: kept('records_of_sales'),
      erased_at: replaced('when the customer was erased', (value, _row, nowMs) => value ?? nowMs),
    },
    others: 'account_id store_id archived revision',
  },
  {
    table: 'payment_instruments',
    key: ['id'],
    customer: 'customer_id',
    columns: {
      id: kept('records_of_sales'),
      customer_id: kept('records_of_sales'),
      card_id: kept('records_of_sales'),
      is_active: zeroed,
      is_default: zeroed,
      consent: removed,
      replacement: removed,
      is_trusted: zeroed,
      created_at: kept('records_of_sales'),
      updated_at: kept('records_of_sales'),
    },
    others: 'account_id store_id is_customer_proven revision',
  },
  {
    table: 'processor_tokens',
    key: ['payment_instrument_id', 'processor_id'],
    by: 'payment_instrument_id',
    belongsTo: [{ table: 'payment_instruments', column: 'id' }],
    isDeleted: true,
    columns: { payment_instrument_id: removed, processor_type: removed, token: secretly(removed), created_at: removed },
    others: 'account_id processor_id status',
  },
]
