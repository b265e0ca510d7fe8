export { absentFacts } from './exemption-facts.ts'
export { type FromPage, type Paying, payingWithout, type PreparedPayment, preparePayment } from './prepare-payment.ts'
