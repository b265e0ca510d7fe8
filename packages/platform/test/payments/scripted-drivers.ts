import type { Authorisation, AuthorisationOutcome } from '../../src/processors/authorisation.ts'
import type { DriverOf } from '../../src/processors/driver.ts'
import { driverWith } from './driver-with.ts'

/** A processor's behaviour: a fixed outcome, or a function of the authorisation. */
export type Script = AuthorisationOutcome | ((authorisation: Authorisation) => Promise<AuthorisationOutcome>)

/** Drivers that do what a test says, one script for each processor; and all that they were sent, in order. */
export function scriptedDrivers(scripts: ReadonlyMap<string, Script>): {
  driverOf: DriverOf
  sent: (Authorisation & { processorId: string })[]
} {
  const sent: (Authorisation & { processorId: string })[] = []
  const driverOf: DriverOf = async ({ id: processorId }) =>
    driverWith({
      authorise: async (authorisation) => {
        sent.push({ ...authorisation, processorId })
        const script = scripts.get(processorId)
        if (script === undefined) throw new Error(`No script for ${processorId}.`)
        return typeof script === 'function' ? script(authorisation) : script
      },
    })
  return { driverOf, sent }
}
