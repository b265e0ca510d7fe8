import type { DisputeKind } from '@tillwright/contract'
import type { Services } from '../request-context.ts'
import type { Database, Statement } from '../storage/index.ts'
import type { Driver } from './driver.ts'
import type { ProcessorDriver } from './processor-driver.ts'
import { processorSettings } from './settings.ts'

/** Processors that move no money, and the disputes of their cardholders. */
export interface SimulatedProcessors {
  /** Opens one, with its own ledger. */
  openProcessor(dependencies: Pick<Services, 'db' | 'clock'> & { processorId: string; bankUrl?: string }): Driver
  /** Charges that their cardholders dispute, until the statement of `reportedDispute` takes them off the list. */
  findDisputes(db: Database, limit: number): Promise<readonly SimulatedDispute[]>
  reportedDispute(attemptId: string): Statement
  /** Payments that have moved by themselves, until the statement of `reportedOrder` takes them off the list. */
  findMoved(db: Database, wanted: { nowMs: number; limit: number }): Promise<readonly MovedAttempt[]>
  reportedOrder(attemptId: string, nowMs: number): Statement
  /** Captures and refunds that come to nothing, until the statements of `reportedReversal` take them off the list. */
  findReversals(db: Database, limit: number): Promise<readonly SimulatedReversal[]>
  reportedReversal(reversal: SimulatedReversal): Statement[]
}

/** What a simulated processor withdraws after it was done: a refund, or the capture of an attempt. */
export interface SimulatedReversal {
  processorId: string
  attemptId: string
  /** Our id of the refund; `null` for the capture. */
  refundId: string | null
}

/** An attempt of which a simulated processor has news. */
export interface MovedAttempt {
  processorId: string
  attemptId: string
}

/** A charge of a simulated processor whose cardholder disputes it. */
export interface SimulatedDispute {
  processorId: string
  attemptId: string
  /** The processor's name of the dispute. */
  reference: string
  /** `return` is a debit that its bank has sent back: a chargeback that is lost already. */
  kind: DisputeKind | 'return'
}

/** Simulated processors as operators know them. They are opened where a platform was handed a simulator, and only there. */
export const simulatorDriver: ProcessorDriver = {
  name: 'simulator',
  title: 'the simulator',
  settings: processorSettings,
  secret: null,
  capabilities: {
    movesMoney: false,
    cards: ['number', 'network_token'],
    methods: [
      { method: 'ideal', currencies: ['EUR'], countries: null },
      { method: 'paypal', currencies: null, countries: null },
      { method: 'sepa_debit', currencies: ['EUR'], countries: null },
      { method: 'voucher', currencies: ['EUR'], countries: null },
    ],
    answersLater: false,
    severalCaptures: true,
    partialRefunds: true,
    exemptions: ['low_value', 'low_risk', 'recurring', 'trusted', 'secure_corporate'],
    zeroAmount: true,
    storedCredentials: true,
    accountUpdater: true,
    disputes: true,
    evidence: true,
    authentication: true,
  },
  help: '',
  open: () => Promise.reject(new Error('This platform was handed no simulator.')),
}

/** The simulated processors of a simulator. */
export function simulatorOf(
  { openProcessor }: Pick<SimulatedProcessors, 'openProcessor'>,
  bankUrl?: () => string,
): ProcessorDriver {
  return {
    ...simulatorDriver,
    open: async ({ processorId, services }) =>
      openProcessor({ ...services, ...(bankUrl && { bankUrl: bankUrl() }), processorId }),
  }
}
