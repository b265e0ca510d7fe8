export { closeDispute, escalateDispute, openDispute } from './dispute-changes.ts'
export { disputes } from './disputes.ts'
export { openSimulatedDisputes } from './simulated.ts'
