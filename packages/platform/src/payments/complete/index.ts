export { keepPart, payNothing, takeMoney, takePart } from './capture-money.ts'
export { declineUnauthenticated, type Unauthenticated } from './record-outcome.ts'
export { declineUntried, isKnown, type KnownOutcome, recordOutcome, withoutKnownNews } from './record-outcome.ts'
