export { cascade, type Cascade } from './cascade.ts'
export { inTime, presentCard, queryAttempt, type Unknown, VAULT_UNREACHABLE } from './charge-card.ts'
