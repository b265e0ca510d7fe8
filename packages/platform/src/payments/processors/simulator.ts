import type { Simulator } from '../simulator.ts'
import type { ProcessorDriver } from './processor-driver.ts'
import { processorSettings } from './processor-settings.ts'

/** Simulated processors as operators know them. They are opened where a platform was handed a simulator, and only there. */
export const simulatorDriver: ProcessorDriver = {
  name: 'simulator',
  title: 'the simulator',
  settings: processorSettings,
  secret: null,
  capabilities: { movesMoney: false },
  help: '',
  open: () => Promise.reject(new Error('This platform was handed no simulator.')),
}

/** The simulated processors of a simulator. */
export function simulatorOf({ openProcessor }: Pick<Simulator, 'openProcessor'>): ProcessorDriver {
  return { ...simulatorDriver, open: async ({ processorId, parts }) => openProcessor({ ...parts, processorId }) }
}
