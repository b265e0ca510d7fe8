import type { Payment } from '@tillwright/contract'
import { type LedgerLine, readLedger, readPayment } from '../ledger/index.ts'
import { paymentFlowsTable, processorsTable } from '../processors/index.ts'
import { OperatorError } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { chooseAccount } from './accounts.ts'
import type { OperatorServices } from './operator-services.ts'

/** The payment to read. `account` may be omitted if there is only one. */
export interface WantedPayment {
  account?: string
  payment: string
}

/** A payment's ledger, in the order in which it was written. */
export interface PaymentLedger {
  payment: Payment
  lines: readonly LedgerLine[]
}

/** Operator commands for payments. Read-only: money moves through the API alone, where the processors are. */
export interface PaymentManagement {
  get(wanted: WantedPayment): Promise<Payment>
  ledger(wanted: WantedPayment): Promise<PaymentLedger>
}

export function managePayments({ db }: Pick<OperatorServices, 'db'>): PaymentManagement {
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

/** A payment with the choices that led to its end, and what its flow and the processors in them are called. */
export interface ExplainedPayment {
  payment: Payment
  flow: { id: string; name: string | null }
  /** The names of processors by their ids, archived ones too. */
  processors: Readonly<Record<string, string>>
}

/** A payment, and whose it is: `account` may be left out where there is one. */
export interface PaymentToExplain {
  payment: string
  account?: string
}

/** A payment's history, for an operator. */
export interface PaymentExplanation {
  /** Explains how a payment was routed. */
  explain(wanted: PaymentToExplain): Promise<ExplainedPayment>
}

export function explainPayments({ db }: OperatorServices): PaymentExplanation {
  return {
    async explain({ payment: paymentId, account }) {
      const accountId = await chooseAccount(db, account)
      const payment = await readPayment(paymentId, accountId, db)
      if (payment === null) {
        throw new OperatorError(
          `The account ${accountId} has no payment '${paymentId}'; an error of the API that names one has its id in error.paymentId.`,
        )
      }
      const sql = 'SELECT resource FROM payment_flows WHERE account_id = ? AND id = ?'
      const [flow] = readFlows(await db.read(sql, [accountId, payment.paymentFlowId]))
      const name = flow?.resource.name ?? null
      return { payment, flow: { id: payment.paymentFlowId, name }, processors: await readNames(accountId, db) }
    },
  }
}

/** Maps the ids of an account's processors to their names, including archived ones. */
export async function readNames(accountId: string, db: Database): Promise<Record<string, string>> {
  const rows = await db.read('SELECT id, name FROM processors WHERE account_id = ?', [accountId])
  return Object.fromEntries(readProcessorNames(rows).map(({ id, name }) => [id, name]))
}

const readFlows = rowReader(pick(paymentFlowsTable, 'resource'))
const readProcessorNames = rowReader(pick(processorsTable, 'id', 'name'))
