export { answerClaim, withoutErrors } from './answers.ts'
export {
  beginFollowUp,
  capturedAtOnce,
  finishFollowUp,
  recordCapture,
  recordRefunded,
  releaseRefund,
} from './capture-and-refund-records.ts'
export { type FollowUp, planFollowUp, refundableAmount, type WantedFollowUp } from './captures-and-refunds.ts'
export {
  book,
  type Booking,
  holds,
  type LedgerLine,
  MoneyInvariantBroken,
  readLedger,
  requireBalance,
} from './ledger.ts'
export { callOf, emitterOf, eventFacts } from './payment-status.ts'
export { findDispute, findReportedDispute, insertDispute, readPayment, toFollowUp } from './payment-records.ts'
export { isFinal, movePayment, requireWay } from './payment-status.ts'
export { paymentAttemptsTable, paymentFollowUpsTable, paymentsTable } from './tables.ts'
