import type { Payment } from '@tillwright/contract'
import type { Driver, DriverOf } from './driver.ts'

/** A payment, as far as it decides who charges for its processor: a preview's is a simulator. */
type Charged = Pick<Payment, 'accountId' | 'preview'>

/** The driver of one of a payment's processors. */
export function driverFor({ accountId, preview }: Charged, id: string, driverOf: DriverOf): Promise<Driver> {
  return driverOf({ id, accountId, isPreview: preview !== null })
}
