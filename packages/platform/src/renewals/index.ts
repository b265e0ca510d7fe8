<<<<<<< HEAD
export { releaseRenewals, startRenewals } from './renewals.ts'
=======
export { renewalBacklog, startRenewals } from './renewals.ts'
>>>>>>> main
