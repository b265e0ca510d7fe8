export { startWaitingPayments } from './end-waiting-payments.ts'
export { type Recovery, startPaymentRecovery, unsettledPayments } from './recover-payments.ts'
