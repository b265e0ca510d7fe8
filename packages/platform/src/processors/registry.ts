import type { Environment } from '@tillwright/contract'
import type { ProcessorDriver } from './processor-driver.ts'
import { adyen } from './adyen/index.ts'
import { checkoutCom } from './checkout-com/index.ts'
import { paypal } from './paypal/index.ts'
import { previewDriver } from './processors.ts'
import { simulatorDriver } from './simulator.ts'
import { stripe } from './stripe/index.ts'

/** The built-in processors. To add one, add a folder next to this file and a line here. */
const processorDrivers: readonly ProcessorDriver[] = [stripe, adyen, checkoutCom, paypal]

/** Answers for the processors of previews where no simulator was handed in. */
const previews: ProcessorDriver = { ...simulatorDriver, name: 'preview', open: async () => previewDriver }

/** The drivers of a platform, by the names that rows of processors have. */
export interface ProcessorRegistry {
  /** The drivers that live payments may use on this platform. */
  drivers: readonly ProcessorDriver[]
  /** The driver of a name; `null` for an unknown one, and for one that moves no money where money has to move. */
  find(name: string): ProcessorDriver | null
  /** Replaces every processor in previews. */
  preview: ProcessorDriver
  /** Drivers that move no money, whether registered or not; refused for live flows in production. */
  simulators: readonly ProcessorDriver[]
}

/**
 * Builds the registry of a platform's drivers.
 *
 * @param added Drivers besides the built-in ones. In production those that move no money serve previews alone. By
 *   default the simulator's, which operators may name but which cannot be opened.
 */
export function processorRegistry(
  environment: Environment,
  added: readonly ProcessorDriver[] = [simulatorDriver],
): ProcessorRegistry {
  const pretending = added.filter(({ capabilities }) => !capabilities.movesMoney)
  const drivers = [...processorDrivers, ...added].filter(
    ({ capabilities }) => capabilities.movesMoney || environment !== 'production',
  )
  const byName = new Map<string, ProcessorDriver>()
  for (const driver of drivers) {
    if (!DRIVER_NAME.test(driver.name)) throw new Error(`'${driver.name}' cannot be the name of a processor's driver.`)
    if (byName.has(driver.name)) throw new Error(`There are two drivers called '${driver.name}'.`)
    byName.set(driver.name, driver)
  }
  return {
    drivers,
    find: (name) => byName.get(name) ?? null,
    preview: pretending.find(({ open }) => open !== simulatorDriver.open) ?? previews,
    simulators: pretending.some(({ name }) => name === simulatorDriver.name)
      ? pretending
      : [...pretending, simulatorDriver],
  }
}

/** Must match the constraint of the database column. */
const DRIVER_NAME = /^[a-z][a-z0-9_]{0,39}$/
