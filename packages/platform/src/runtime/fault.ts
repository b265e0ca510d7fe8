import { type Environment, type Fault, faults } from '@tillwright/contract'
import { ApiError } from './errors.ts'

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
  if (Object.hasOwn(faults, header)) return header as Fault // just checked
  throw new ApiError('parameter_invalid', `Tillwright-Fault must be one of: ${Object.keys(faults).join(', ')}.`, {
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
