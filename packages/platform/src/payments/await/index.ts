export { awaitOutcome } from './await-outcome.ts'
export { settleLate } from './late-money.ts'
export { commitSettled, recoverAwaited, settleAwaited } from './settle-awaited.ts'
