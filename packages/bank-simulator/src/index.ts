export { bankSimulator, type BankSimulator, type OpenBank } from './bank-simulator.ts'
export type { Control, Faults } from './bank/scenario.ts'
export { testCards } from './processor/outcomes.ts'
