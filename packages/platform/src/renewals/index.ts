export { prepareRenewal } from './prepare-renewal.ts'
export { linkOf, readRecoveryToken } from './recovery-token.ts'
export { releaseRenewals, renewalBacklog, startRenewals } from './renewals.ts'
export { retryRenewal } from './retry.ts'
