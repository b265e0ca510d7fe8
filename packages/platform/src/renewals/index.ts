export { startRenewals } from './renewals.ts'
