import type { Environment } from '@tillwright/contract'
import { ApiError } from './api-error.ts'

/** What a request can have go wrong behind it, to see how a caller takes it: who fails, and how. */
const faults = ['threeds=outage', 'threeds=timeout'] as const

/** One of the faults that can be asked for. */
export type Fault = (typeof faults)[number]

/**
 * Reads the header `Tillwright-Fault`, which works in `local` and `development` alone, for requests that change something.
 *
 * @returns `null` without the header, and always in production.
 * @throws {ApiError} `parameter_invalid` for a fault that there is not.
 */
export function readFault(header: string | undefined, environment: Environment): Fault | null {
  if (header === undefined || environment === 'production') return null
  const fault = faults.find((known) => known === header)
  if (fault !== undefined) return fault
  throw new ApiError('parameter_invalid', `Tillwright-Fault must be one of: ${faults.join(', ')}.`, {
    param: 'Tillwright-Fault',
  })
}
