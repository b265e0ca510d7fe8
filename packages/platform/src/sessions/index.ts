export { sessions } from './sessions.ts'
export { toSessionPayment } from './view.ts'
