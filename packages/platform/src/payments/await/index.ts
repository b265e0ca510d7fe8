export { awaitOutcome } from './await-outcome.ts'
export { completeLate } from './late-money.ts'
export { commitOutcome, completeAwaited, startAwaited } from './complete-awaited.ts'
