import type { Dispute } from '@tillwright/contract'
import type { Write } from '../../call.ts'
import { emit, type Emitter } from '../../events/emit.ts'
import { emitterOf } from '../emitter-of.ts'
import { book, requireBalance } from '../money/ledger.ts'
import type { Decided } from './close-dispute.ts'
import { disputeFacts } from './dispute-facts.ts'

/**
 * The statements by which an open inquiry becomes a chargeback: its money, which was only kept from refunds, is withheld
 * from now on. It is told as opened once more, by the same id and as a chargeback.
 */
export function escalateDispute({ dispute, payment }: Decided, emitter: Emitter): Write[] {
  const { accountId, id, amount } = dispute
  const chargeback: Dispute = { ...dispute, kind: 'chargeback' }
  return [
    {
      sql: `UPDATE disputes SET kind = 'chargeback' WHERE account_id = ? AND id = ? AND kind = 'inquiry' AND status = 'open'`,
      params: [accountId, id],
      expect: 1,
    },
    book({ payment, entry: id, booking: 'withheld', amount }, emitter.nowMs),
    requireBalance(payment),
    ...emit('s_dispute_opened', disputeFacts(chargeback, payment), emitterOf(payment, emitter)),
  ]
}
