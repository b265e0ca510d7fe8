import type { Parts } from '../request-context.ts'

/** What the operator's work needs. */
export type OperatorParts = Pick<Parts, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment'>
