import {
  emptied,
  FOR_THE_BOOKS,
  kept,
  type PersonalTable,
  removed,
  replaced,
  secretly,
  zeroed,
} from '../storage/index.ts'

/** Customers, their instruments, and the tokens that processors gave for their cards. */
export const customersPersonalData: PersonalTable[] = [
  {
    table: 'customers',
    key: ['id'],
    customer: 'id',
    columns: {
      id: kept('Orders and payments name their customer by this id, which says nothing by itself.'),
      email: emptied,
      email_key: removed,
      first_name: emptied,
      last_name: emptied,
      details: replaced('no telephone number and no addresses', () => '{}'),
      metadata: replaced('no metadata', () => '{}'),
      created_at: kept(FOR_THE_BOOKS),
      updated_at: kept(FOR_THE_BOOKS),
      erased_at: replaced('when the customer was erased', (value, _row, nowMs) => value ?? nowMs),
    },
    others: 'account_id store_id archived revision',
  },
  {
    table: 'payment_instruments',
    key: ['id'],
    customer: 'customer_id',
    columns: {
      id: kept(FOR_THE_BOOKS),
      customer_id: kept(FOR_THE_BOOKS),
      card_id: kept(FOR_THE_BOOKS),
      is_active: zeroed,
      is_default: zeroed,
      created_at: kept(FOR_THE_BOOKS),
      updated_at: kept(FOR_THE_BOOKS),
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
