import type { BankDependencies, Database, Statement } from './dependencies.ts'
import {
  type DisputedCharge,
  findDisputes,
  type ProcessorDependencies,
  reportedDispute,
  simulatedProcessor,
  type SimulatedProcessor,
} from './processor/simulated-processor.ts'
import { findMoved, type MovedOrder, reportedOrder } from './processor/orders.ts'
import { findReversals, reportedReversal, type ReversedMove } from './processor/reversals.ts'
import { answerRequest, type BankAnswer, type BankRequest } from './routes.ts'
import { openBank, type SimulatedBank } from './simulated-bank.ts'
import { simulatedWallets } from './wallets/wallets.ts'

/**
 * The simulator's tables in portable SQL. `{text}`, `{int}`, and `{strict}` are replaced for the database engine in use.
 *
 * `simulator_charges` and `simulator_moves` are the ledger of the simulated processors, `simulator_orders` what their buyers
 * pay elsewhere or later, `simulator_reversals` the charges of which something comes to nothing after it was done.
 * `acs_transactions` are the authentications at the ACS: `state` is JSON, `revision` guards against concurrent changes, and `due_at` is the time of
 * the next scheduled step.
 * `acs_controls` holds outcomes arranged for an account's next authentication or for one transaction.
 */
const tables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS simulator_charges (
    attempt_id {text} PRIMARY KEY, processor_id {text} NOT NULL, outcome {text} NOT NULL, amount {int} NOT NULL,
    currency {text} NOT NULL, created_at {int} NOT NULL, authorised {int} NOT NULL DEFAULT 0,
    captured {int} NOT NULL DEFAULT 0, refunded {int} NOT NULL DEFAULT 0, closed {int} NOT NULL DEFAULT 0,
    dispute {text}, with_code {int} NOT NULL DEFAULT 0) {strict}`,
  `CREATE TABLE IF NOT EXISTS simulator_orders (
    attempt_id {text} PRIMARY KEY, processor_id {text} NOT NULL, method {text} NOT NULL, status {text} NOT NULL,
    amount {int} NOT NULL, currency {text} NOT NULL, return_url {text}, due_at {int}, expires_at {int} NOT NULL,
    plan {text}, is_told {int} NOT NULL, created_at {int} NOT NULL) {strict}`,
  `CREATE INDEX IF NOT EXISTS simulator_orders_due ON simulator_orders (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS simulator_orders_moved ON simulator_orders (attempt_id) WHERE is_told = 0`,
  `CREATE INDEX IF NOT EXISTS simulator_charges_disputed ON simulator_charges (attempt_id) WHERE dispute IS NOT NULL`,
  `CREATE TABLE IF NOT EXISTS simulator_moves (
    id {text} PRIMARY KEY, attempt_id {text} NOT NULL, kind {text} NOT NULL, amount {int} NOT NULL,
    created_at {int} NOT NULL) {strict}`,
  `CREATE INDEX IF NOT EXISTS simulator_moves_by_attempt ON simulator_moves (attempt_id)`,
  `CREATE TABLE IF NOT EXISTS simulator_reversals (attempt_id {text} PRIMARY KEY, kind {text} NOT NULL) {strict}`,
  `CREATE TABLE IF NOT EXISTS acs_transactions (
    account_id {text} NOT NULL, transaction_id {text} NOT NULL, acs_transaction_id {text} NOT NULL,
    revision {int} NOT NULL, due_at {int}, state {text} NOT NULL, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, transaction_id)) {strict}`,
  `CREATE UNIQUE INDEX IF NOT EXISTS acs_transactions_by_acs_id ON acs_transactions (acs_transaction_id)`,
  `CREATE INDEX IF NOT EXISTS acs_transactions_due ON acs_transactions (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS acs_transactions_by_age ON acs_transactions (created_at)`,
  `CREATE TABLE IF NOT EXISTS acs_controls (
    account_id {text} NOT NULL, transaction_id {text} NOT NULL, next {text} NOT NULL,
    PRIMARY KEY (account_id, transaction_id)) {strict}`,
]

/** A running bank. */
export interface OpenBank extends SimulatedBank {
  /** Handles a request below `/acs`. Resolves to `null` if the address is unknown. */
  answer(request: BankRequest): Promise<BankAnswer | null>
}

/** The simulator that a platform outside production is started with. */
export interface BankSimulator {
  /** The tables it needs, in portable SQL. */
  tables: readonly string[]
  openProcessor(dependencies: ProcessorDependencies): SimulatedProcessor
  /** Charges disputed by their cardholders, until the `reportedDispute` statement removes them from the list. */
  findDisputes(db: Database, limit: number): Promise<DisputedCharge[]>
  reportedDispute(attemptId: string): Statement
  /** Payments that have moved by themselves, until the `reportedOrder` statement removes them from the list. */
  findMoved(db: Database, wanted: { nowMs: number; limit: number }): Promise<MovedOrder[]>
  reportedOrder(attemptId: string, nowMs: number): Statement
  /** Captures and refunds that come to nothing, until the `reportedReversal` statements remove them from the list. */
  findReversals(db: Database, limit: number): Promise<ReversedMove[]>
  reportedReversal(reversed: ReversedMove): Statement[]
  openBank(dependencies: BankDependencies): OpenBank
  /** Simulated Apple Pay and Google Pay, whose tokens have the real formats. */
  wallets: typeof simulatedWallets
}

/** Simulated processors, and a simulated Directory Server and ACS for 3-D Secure. No real money moves. */
export const bankSimulator: BankSimulator = {
  tables,
  openProcessor: simulatedProcessor,
  findDisputes,
  reportedDispute,
  findMoved,
  reportedOrder,
  findReversals,
  reportedReversal,
  wallets: simulatedWallets,
  openBank(dependencies) {
    const bank = openBank(dependencies)
    return { ...bank, answer: (request) => answerRequest(request, bank, dependencies) }
  },
}
