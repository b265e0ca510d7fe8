import { paymentBugs } from './payment-bugs.ts'
import { platformBugs } from './platform-bugs.ts'

/** A bug put into the platform on purpose, as a small patch over one of its files. */
export interface PlantedBug {
  name: string
  /** In `packages/platform/src`. */
  file: string
  /** Stands in the file once. */
  find: string
  replace: string
}

/** Bugs of the kinds that reviews let through. Each must be found by a few seeds; a test sees that each still applies. */
export const plantedBugs: readonly PlantedBug[] = [...paymentBugs, ...platformBugs]
