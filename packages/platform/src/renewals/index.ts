export { releaseRenewals, startRenewals } from './renewals.ts'
