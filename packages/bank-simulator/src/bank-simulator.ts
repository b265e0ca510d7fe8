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

/** A bank that a platform has opened. */
export interface OpenBank extends SimulatedBank {
  /** Answers a request to an address from `/acs` on; `null` when there is nothing at it. */
  answer(request: BankRequest): Promise<BankAnswer | null>
}

/** What a platform is handed at its start, outside production. */
export interface BankSimulator {
  /** The tables that it needs, in portable SQL; see `tables.ts`. */
  tables: readonly string[]
  openProcessor(dependencies: ProcessorDependencies): SimulatedProcessor
  /** Charges that their cardholders dispute, until the statement of `reportedDispute` takes them off the list. */
  findDisputes(db: Database, limit: number): Promise<DisputedCharge[]>
  reportedDispute(attemptId: string): Statement
  openBank(dependencies: BankDependencies): OpenBank
}

/** Simulated processors, and a simulated Directory Server and ACS for 3-D Secure. They move no money and prove nothing. */
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
