import type { Parts } from '../../call.ts'
import type { Driver, DriverOf } from './driver.ts'
import { simulator } from './simulator.ts'

/** Finds the driver of each processor by its row, once: what a row says of its driver never changes. */
export function openDrivers(parts: Parts): DriverOf {
  const opened = new Map<string, Promise<Driver>>()
  return ({ id, accountId }) => {
    const known = opened.get(id)
    if (known !== undefined) return known
    const driver = openDriver(id, accountId, parts)
    opened.set(id, driver)
    driver.catch(() => opened.delete(id))
    return driver
  }
}

async function openDriver(processorId: string, accountId: string, { db, clock }: Parts): Promise<Driver> {
  const [row] = await db.read('SELECT driver FROM processors WHERE account_id = ? AND id = ?', [accountId, processorId])
  if (row === undefined) throw new Error(`The account ${accountId} has no processor ${processorId}.`)
  return simulator({ db, clock, processorId })
}
