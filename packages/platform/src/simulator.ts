import type { SimulatedProcessors } from './processors/index.ts'
import type { Services } from './request-context.ts'
import { ConfigError, OperatorError } from './runtime/index.ts'
import { type PersonalTable, removed } from './storage/index.ts'
import type { BankOpener } from './threeds/index.ts'
import type { SimulatedWallets } from './vault/index.ts'

/**
 * Takes the place of processors and banks outside production. The platform contains none: the program that starts it
 * passes one in, such as that of `@tillwright/bank-simulator`.
 */
export interface Simulator extends SimulatedProcessors, BankOpener {
  /** Its tables: `CREATE ... IF NOT EXISTS`, in the dialect of migrations. */
  tables: readonly string[]
  /** Wallets whose sheets it shows, for accounts without wallets of their own. */
  wallets: SimulatedWallets
}

/** Personal data that the simulated issuers keep of cardholders. */
export const simulatorPersonalData: readonly PersonalTable[] = [
  {
    table: 'acs_transactions',
    key: ['transaction_id'],
    by: 'transaction_id',
    belongsTo: [{ table: 'threeds_sessions', column: 'external_session_id' }],
    isDeleted: true,
    columns: { transaction_id: removed, state: removed, created_at: removed },
    others: 'account_id acs_transaction_id revision due_at',
  },
]

/** @throws {OperatorError} In production with a simulator, and {ConfigError} in `local`, which has no other processors, without one. */
export function checkSimulator(simulator: Simulator | null, { environment }: Pick<Services, 'environment'>): void {
  if (environment === 'production' && simulator !== null) {
    throw new OperatorError('A simulator moves no money and proves nothing: start "production" without one.')
  }
  if (environment === 'local' && simulator === null) {
    throw new ConfigError(
      '"local" has simulated processors only: install @tillwright/bank-simulator next to the platform.',
    )
  }
}
