export { prepareRenewal, pricePeriod } from './prepare-renewal.ts'
export { holdForgotten, releaseRenewals, renewalBacklog, startRenewals } from './renewals.ts'
export { retryRenewal } from './retry.ts'
