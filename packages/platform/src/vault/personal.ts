import { emptied, kept, type PersonalTable, removed, replaced, secretly } from '../storage/index.ts'

const shown = kept('card_of_disputes')

/** Cards: what is encrypted goes, and with it the number and the cardholder's name. */
export const vaultPersonalData: PersonalTable[] = [
  {
    table: 'cards',
    key: ['id'],
    by: 'id',
    belongsTo: [{ table: 'payment_instruments', column: 'card_id' }],
    columns: {
      id: shown,
      fingerprint: secretly(replaced('a word that is the same for no other card', (_value, { id }) => `purged ${id}`)),
      sealed_key: secretly(emptied),
      sealed_card: secretly(emptied),
      brand: shown,
      last4: shown,
      bin: secretly(kept('bank_of_card')),
      exp_month: shown,
      exp_year: shown,
      funding: shown,
      segment: shown,
      kind: shown,
      wallet: shown,
      created_at: shown,
      purged_at: replaced('when the card was erased', (value, _row, nowMs) => value ?? nowMs),
    },
    others: 'account_id',
  },
  {
    table: 'card_tokens',
    key: ['id'],
    by: 'card_id',
    belongsTo: [{ table: 'payment_instruments', column: 'card_id' }],
    columns: { card_id: shown, frame_session: removed, frame_address: removed },
    others: 'account_id id store_id key_id jwe_id expires_at used_at',
  },
]
