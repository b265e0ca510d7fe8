export { cascade, type Cascade } from './cascade.ts'
export { inTime, queryAttempt, type Unknown } from './charge-card.ts'
