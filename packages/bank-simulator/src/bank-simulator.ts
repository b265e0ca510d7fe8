import {
  type DisputedCharge,
  findDisputes,
  type ProcessorDependencies,
  reportedDispute,
  simulatedProcessor,
  type SimulatedProcessor,
} from './processor/simulated-processor.ts'
import { answerRequest, type BankAnswer, type BankRequest } from './routes.ts'
import { openBank, type SimulatedBank } from './simulated-bank.ts'
import type { BankDependencies, Database, Statement } from './dependencies.ts'
import { tables } from './tables.ts'

/** A running bank. */
export interface OpenBank extends SimulatedBank {
  /** Handles a request below `/acs`. Resolves to `null` if the address is unknown. */
  answer(request: BankRequest): Promise<BankAnswer | null>
}

/** The simulator that a platform outside production is started with. */
export interface BankSimulator {
  /** The tables it needs, in portable SQL. See `tables.ts`. */
  tables: readonly string[]
  openProcessor(dependencies: ProcessorDependencies): SimulatedProcessor
  /** Charges disputed by their cardholders, until the `reportedDispute` statement removes them from the list. */
  findDisputes(db: Database, limit: number): Promise<DisputedCharge[]>
  reportedDispute(attemptId: string): Statement
  openBank(dependencies: BankDependencies): OpenBank
}

/** Simulated processors, and a simulated Directory Server and ACS for 3-D Secure. No real money moves. */
export const bankSimulator: BankSimulator = {
  tables,
  openProcessor: simulatedProcessor,
  findDisputes,
  reportedDispute,
  openBank(dependencies) {
    const bank = openBank(dependencies)
    return { ...bank, answer: (request) => answerRequest(request, bank, dependencies) }
  },
}
