export {
  type AbuseDetection,
  blockSubject,
  countDecline,
  countedBuyer,
  countVelocities,
  forgetVelocities,
  velocitiesOf,
  type Velocity,
} from './abuse-detection.ts'
export {
  type AttemptOutcome,
  finishAttempt,
  insertAttempt,
  lastAttempt,
  noteAwaited,
  notePaidLate,
  noteUnknown,
  outcomeName,
  referenceOf,
  withLastAttempt,
  withOutcome,
} from './attempts.ts'
export { cascadeStopReason } from './next-attempt.ts'
export { waitOfAdvice } from './scheme-rules.ts'
export { circuitBreaker } from './circuit-breaker.ts'
export { processorHealth } from './processor-health.ts'
export { firstAttempt, liveTakes, nextAttempt, type NextAttempt, type Untried } from './next-attempt.ts'
export { findPaymentFlow, paymentFlows, paymentFlowWrites } from './payment-flows.ts'
export { flowFor, requireFlowOf } from './flow-of-store.ts'
export {
  type Charging,
  findLastSuccess,
  type Presentation,
  readRoute,
  type Route,
  withoutCard,
  type Withdrawn,
} from './route.ts'
export { takenMethods } from './methods.ts'
export { readPastPayments } from './past-payments.ts'
export { type Replayed, replayFlow } from './replay-flow.ts'
