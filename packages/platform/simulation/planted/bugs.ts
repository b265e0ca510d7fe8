import { paymentBugs } from './payment-bugs.ts'
import { platformBugs } from './platform-bugs.ts'
import { pluginBugs } from './plugin-bugs.ts'
import type { PlantedBug } from './plant.ts'
import { upgradeBugs } from './upgrade-bugs.ts'

/** Bugs of the kinds that reviews let through. Each must be found by a few seeds; a test sees that each still applies. */
export const plantedBugs: readonly PlantedBug[] = [...paymentBugs, ...platformBugs, ...upgradeBugs, ...pluginBugs]
