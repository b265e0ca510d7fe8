export { absentFacts, exemptionFacts } from './exemption-facts.ts'
export { type FromPage, isVerification, type Paying, type PreparedPayment, preparePayment } from './prepare-payment.ts'
