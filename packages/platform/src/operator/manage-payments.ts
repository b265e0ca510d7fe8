import type { Payment } from '@tillwright/contract'
import { OperatorError } from '../ambient/operator-error.ts'
import { readLedger, type LedgerLine } from '../payments/money/ledger.ts'
import { readPayment } from '../payments/read-payment.ts'
import { chooseAccount } from './choose-account.ts'
import type { OperatorParts } from './operator-parts.ts'

/** Which payment is meant. `account` may be left out where there is one. */
export interface WantedPayment {
  account?: string
  payment: string
}

/** A payment's ledger, in the order in which it was written. */
export interface PaymentLedger {
  payment: Payment
  lines: readonly LedgerLine[]
}

/** What an operator sees of payments. Money is moved through the API alone, where the processors are. */
export interface PaymentManagement {
  get(wanted: WantedPayment): Promise<Payment>
  ledger(wanted: WantedPayment): Promise<PaymentLedger>
}

export function managePayments({ db }: Pick<OperatorParts, 'db'>): PaymentManagement {
  async function get({ account, payment: id }: WantedPayment): Promise<Payment> {
    const accountId = await chooseAccount(db, account)
    const payment = await readPayment(id, accountId, db)
    if (payment !== null) return payment
    throw new OperatorError(
      `The account ${accountId} has no payment '${id}'; the API's answers and the events of payments name their ids.`,
    )
  }
  return {
    get,
    async ledger(wanted) {
      const payment = await get(wanted)
      return { payment, lines: await readLedger(payment.id, payment.accountId, db) }
    },
  }
}
