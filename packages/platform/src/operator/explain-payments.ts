import type { Payment } from '@tillwright/contract'
import { OperatorError } from '../ambient/operator-error.ts'
import { readPayment } from '../payments/read-payment.ts'
import { chooseAccount } from './choose-account.ts'
import type { OperatorParts } from './operator-parts.ts'
import { readNames } from './read-names.ts'

/** A payment with the choices that led to its end, and what its flow and the processors in them are called. */
export interface ExplainedPayment {
  payment: Payment
  flow: { id: string; name: string | null }
  /** The names of processors by their ids, archived ones too. */
  processors: Readonly<Record<string, string>>
}

/** A payment, and whose it is: `account` may be left out where there is one. */
export interface WantedPayment {
  payment: string
  account?: string
}

/** What an operator learns of payments. */
export interface PaymentExplanation {
  /** Why a payment went where it went. */
  explain(wanted: WantedPayment): Promise<ExplainedPayment>
}

export function explainPayments({ db }: OperatorParts): PaymentExplanation {
  return {
    async explain({ payment: paymentId, account }) {
      const accountId = await chooseAccount(db, account)
      const payment = await readPayment(paymentId, accountId, db)
      if (payment === null) {
        throw new OperatorError(
          `The account ${accountId} has no payment '${paymentId}'; an error of the API that names one has its id in error.paymentId.`,
        )
      }
      const [flow] = await db.read('SELECT resource FROM payment_flows WHERE account_id = ? AND id = ?', [
        accountId,
        payment.paymentFlowId,
      ])
      const name: string | null = flow === undefined ? null : JSON.parse(String(flow['resource'])).name
      return { payment, flow: { id: payment.paymentFlowId, name }, processors: await readNames(accountId, db) }
    },
  }
}
