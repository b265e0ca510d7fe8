export { payNothing, takeMoney } from './capture-money.ts'
export { declineUnauthenticated, type Unauthenticated } from './record-outcome.ts'
export { declineUntried, type KnownOutcome, recordOutcome } from './record-outcome.ts'
