export { closeDispute, escalateDispute, openDispute, recordWon } from './dispute-changes.ts'
export { disputes } from './disputes.ts'
export { submitEvidence } from './evidence.ts'
export { openSimulatedDisputes } from './simulated.ts'
