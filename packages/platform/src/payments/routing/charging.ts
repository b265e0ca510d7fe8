import type { Fault } from '../../ambient/fault.ts'
import type { Parts } from '../../call.ts'
import type { CvcMemory } from '../../vault/cvc-memory.ts'
import type { DriverOf } from '../processors/driver.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'

/** Who charges, and where the card's secrets come from. */
export interface Charging {
  parts: Parts
  driverOf: DriverOf
  cvcs: CvcMemory
  circuit: CircuitBreaker
  /** Whether this platform has a driver of the name; every name counts unless given. */
  hasDriver?: (name: string) => boolean
  /** What shall go wrong at the processor, to try out the caller; nothing unless given. */
  fault?: Fault | null
}
