import type { Environment } from '@tillwright/contract'
import { ApiError } from './errors.ts'

/** Faults that a request can inject to test how its caller handles them, as component and failure. */
const faults = [
  'threeds=outage',
  'threeds=timeout',
  'processor=outage',
  'processor=timeout_before',
  'processor=timeout_after',
  'processor=slow',
  'processor=late',
  'processor=duplicate',
] as const

/** One of the faults that can be asked for. */
export type Fault = (typeof faults)[number]

/** The faults of one of those who can fail. */
export type FaultOf<Who extends 'threeds' | 'processor'> = Extract<Fault, `${Who}=${string}`>

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

/** The fault, if it is one of somebody's, or `null`. */
export function faultOf<Who extends 'threeds' | 'processor'>(who: Who, fault: Fault | null): FaultOf<Who> | null {
  return fault?.startsWith(`${who}=`) ? (fault as FaultOf<Who>) : null // its beginning has just been looked at
}
