export { chargePayment } from './charge-payment.ts'
export { inTime, presentCard, type Unknown, VAULT_UNREACHABLE } from './charge/index.ts'
export { declineUntried, keepPart, payNothing, takeMoney, takePart } from './complete/index.ts'
export { continueAuthenticated, continuePayment } from './continue-payment.ts'
export { createPayment, takePayment, verifyInstrument } from './payments.ts'
export { paymentReads } from './read-payments.ts'
export {
  absentFacts,
  type FromPage,
  type Paying,
  payingWithout,
  type PreparedPayment,
  preparePayment,
} from './prepare/index.ts'
export { type Starting, buildPayment, readReturn, RETURN_PATH, withNextAction } from './record/index.ts'
export { commitSettled, settleAwaited, settleLate } from './await/index.ts'
export { type Recovery, startPaymentRecovery, startWaitingPayments, unsettledPayments } from './recover/index.ts'
