import type { Driver } from '../../src/processors/driver.ts'

/** A driver of which a test needs a part; the rest is never called. */
export function driverWith(part: Partial<Driver>): Driver {
  const unasked = () => Promise.reject(new Error('This driver was asked for what it does not do.'))
  return { authorise: unasked, capture: unasked, refund: unasked, void: unasked, query: unasked, ...part }
}
