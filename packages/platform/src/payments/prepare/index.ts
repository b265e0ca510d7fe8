export { type FromPage, type Paying, type PreparedPayment, preparePayment } from './prepare-payment.ts'
