export { startWaitingPayments } from './end-waiting-payments.ts'
export { type Recovery, startPaymentRecovery, unresolvedPayments } from './recover-payments.ts'
