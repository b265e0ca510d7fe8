import { isObject } from '@tillwright/contract/json'
import { kept, type PersonalTable, removed, replacedJson } from '../storage/index.ts'

const proof = kept('proof_of_authentication')

/** Authentications: the outcome is a proof, the messages that led to it name the cardholder and the browser. */
export const threedsPersonalData: PersonalTable[] = [
  {
    table: 'threeds_sessions',
    key: ['id'],
    customer: 'customer_id',
    columns: {
      id: proof,
      customer_id: proof,
      payment_instrument_id: proof,
      payment_id: proof,
      external_session_id: proof,
      status: proof,
      session_data: removed,
      request_hash: removed,
      return_url: removed,
      outcome: replacedJson('the outcome without the address and message of its challenge', (outcome) =>
        isObject(outcome) ? { ...outcome, acsChallengeUrl: null, creq: null } : outcome,
      ),
      result: proof,
      cres_status: proof,
      created_at: proof,
      ended_at: proof,
    },
    others:
      'account_id store_id is_preview provider key_id value_told_at method_started_at method_notified_at notified_at holder lease_until expires_at updated_at',
  },
  {
    table: 'threeds_messages',
    key: ['transaction_id', 'position'],
    by: 'transaction_id',
    belongsTo: [{ table: 'threeds_sessions', column: 'external_session_id' }],
    isDeleted: true,
    columns: {
      transaction_id: removed,
      at: removed,
      sender: removed,
      receiver: removed,
      type: removed,
      message: removed,
    },
    others: 'account_id position',
  },
  {
    table: 'low_value_payments',
    key: ['card_fingerprint', 'currency', 'payment_id'],
    by: 'payment_id',
    belongsTo: [{ table: 'payments', column: 'id' }],
    isDeleted: true,
    columns: {
      card_fingerprint: removed,
      currency: removed,
      payment_id: removed,
      amount: removed,
      created_at: removed,
    },
    others: 'account_id',
  },
]
