import { type PersonalTable, replaced, type Row, secretly } from '../storage/index.ts'
import { isSealed } from './idempotency.ts'

/**
 * Answers that are kept for a repeated request. The row stays, so that the request is not carried out a second time, and
 * tells what has become of its answer.
 *
 * @param answer The answer that takes the place of one that named an erased customer.
 */
export function accountsPersonalData(answer: { status: number; body: string }): PersonalTable[] {
  return [
    {
      table: 'idempotency_keys',
      key: ['idempotency_key'],
      mentions: (row: Row, open) => open.answer(row),
      where: 'body IS NOT NULL',
      columns: {
        status: replaced('an error that says that the answer is erased', () => answer.status),
        body: secretly(
          replaced('an error that says that the answer is erased', () => answer.body),
          isSealed,
        ),
      },
      others: 'account_id idempotency_key fingerprint holder lease_until expires_at',
    },
  ]
}
