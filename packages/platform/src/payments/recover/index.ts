export { startWaitingPayments } from './end-waiting-payments.ts'
export { type Recovery, startPaymentRecovery } from './recover-payments.ts'
