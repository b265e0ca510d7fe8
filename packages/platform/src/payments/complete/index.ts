export { payNothing, takeMoney } from './capture-money.ts'
export { declineUnauthenticated, type Unauthenticated } from './record-outcome.ts'
export { declineUntried, type KnownOutcome, settlePayment } from './record-outcome.ts'
