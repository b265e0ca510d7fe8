export { sessions } from './sessions.ts'
export { toSessionPayment } from './view.ts'
export { createRecoveryLink, recoveries } from './recoveries.ts'
