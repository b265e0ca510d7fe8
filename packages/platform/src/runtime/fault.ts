import type { Environment } from '@tillwright/contract'
import { ApiError } from './errors.ts'

/**
 * Faults that a request can ask for, to test how its caller handles them: `<who fails>=<how>`. `network=retry_limit` counts
 * a card's declines as card networks do, which is otherwise done in production only.
 */
const faults = [
  'threeds=outage',
  'threeds=timeout',
  'processor=outage',
  'processor=timeout_before',
  'processor=timeout_after',
  'processor=slow',
  'processor=late',
  'processor=duplicate',
  'network=retry_limit',
] as const

export type Fault = (typeof faults)[number]

/** The faults of one component. */
export type FaultOf<Who extends 'threeds' | 'processor' | 'network'> = Extract<Fault, `${Who}=${string}`>

/**
 * Reads the `Tillwright-Fault` header, which works only in `local` and `development`, on requests that change
 * something.
 *
 * @returns `null` without the header, and always in production.
 * @throws {ApiError} `parameter_invalid` for an unknown fault.
 */
export function readFault(header: string | undefined, environment: Environment): Fault | null {
  if (header === undefined || environment === 'production') return null
  const fault = faults.find((known) => known === header)
  if (fault !== undefined) return fault
  throw new ApiError('parameter_invalid', `Tillwright-Fault must be one of: ${faults.join(', ')}.`, {
    param: 'Tillwright-Fault',
  })
}

/** Returns the fault if it concerns the given component, otherwise `null`. */
export function faultOf<Who extends 'threeds' | 'processor' | 'network'>(
  who: Who,
  fault: Fault | null,
): FaultOf<Who> | null {
  return fault?.startsWith(`${who}=`) ? (fault as FaultOf<Who>) : null // its prefix was just checked
}
