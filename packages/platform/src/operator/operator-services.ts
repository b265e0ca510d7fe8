import type { Services } from '../request-context.ts'

/** What the operator's work needs. */
export type OperatorServices = Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment'>
