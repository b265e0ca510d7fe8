export { renewalBacklog, startRenewals } from './renewals.ts'
