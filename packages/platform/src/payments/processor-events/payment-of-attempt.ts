import type { Payment } from '@tillwright/contract'
import type { Parts } from '../../call.ts'
import { readPayment } from '../read-payment.ts'

/** An attempt as a processor names it. */
export interface NamedAttempt {
  accountId: string
  processorId: string
  attemptId: string
}

/** The payment of an attempt at this very processor, or `null`: what one says of another's is nothing. */
export async function paymentOfAttempt(
  { accountId, processorId, attemptId }: NamedAttempt,
  { db }: Pick<Parts, 'db'>,
): Promise<Payment | null> {
  const [row] = await db.read(
    'SELECT payment_id FROM payment_attempts WHERE account_id = ? AND id = ? AND processor_id = ?',
    [accountId, attemptId, processorId],
  )
  return row === undefined ? null : readPayment(String(row['payment_id']), accountId, db)
}
