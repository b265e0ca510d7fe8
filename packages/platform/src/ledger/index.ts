export { answerClaim, withoutErrors } from './answers.ts'
export {
  awaitPostAuthorization,
  beginPostAuthorization,
  beginReportedRefund,
  capturedAtOnce,
  finishPostAuthorization,
  freePostAuthorization,
  recordCapture,
  recordRefunded,
  releaseRefund,
  recordedMeanwhile,
  reversePostAuthorization,
} from './captures-and-refunds.ts'
export type { PostAuthorization } from './captures-and-refunds.ts'
export { planPostAuthorization, refundableAmount, type WantedPostAuthorization } from './plan-post-authorization.ts'
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
export {
  findDispute,
  findReportedDispute,
  findDisputes,
  findPayments,
  findRefunds,
  byCard,
  byNothing,
  insertDispute,
  readPayment,
  singlePayment,
  toPostAuthorization,
} from './payment-records.ts'
export { freePayment, movePayment, requireWay, statusByMoney } from './payment-status.ts'
export {
  disputesTable,
  type PaymentAgreement,
  paymentAttemptsTable,
  postAuthorizationsTable,
  paymentsTable,
} from './tables.ts'
export { ledgerPersonalData } from './personal.ts'
