export { releaseRenewals, renewalBacklog, startRenewals } from './renewals.ts'
