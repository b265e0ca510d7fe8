import type { Parts } from '../call.ts'

/** What the operator's work needs. */
export type OperatorParts = Pick<Parts, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment'>
