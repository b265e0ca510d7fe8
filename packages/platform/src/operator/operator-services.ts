import type { Services } from '../request-context.ts'

/** The services that operator commands use. */
export type OperatorServices = Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment'>
