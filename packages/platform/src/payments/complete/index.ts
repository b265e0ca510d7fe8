export { payNothing, takeMoney } from './capture-money.ts'
export { declineUnauthenticated, type Unauthenticated } from './end-unpaid.ts'
export { declineUntried, type KnownOutcome, settlePayment } from './record-outcome.ts'
