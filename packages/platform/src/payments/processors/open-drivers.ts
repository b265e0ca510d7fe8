import type { Parts } from '../../call.ts'
import type { Row } from '../../storage/database.ts'
import type { Driver, DriverOf } from './driver.ts'
import { openProcessorSecret } from './processor-secret.ts'
import { readProcessorSettings } from './processor-settings.ts'
import type { Simulator } from '../simulator.ts'
import { previewDriver } from './preview-driver.ts'

/**
 * Finds the driver of each processor by its row, once: what a row says of its driver never changes.
 *
 * @param simulator Opens simulated processors; `null` in production, where there are none.
 */
export function openDrivers(parts: Parts, simulator: Simulator | null): DriverOf {
  const opened = new Map<string, Promise<Driver>>()
  return ({ id, accountId, isPreview }) => {
    if (isPreview) return Promise.resolve(simulator?.openProcessor({ ...parts, processorId: id }) ?? previewDriver)
    const key = `${accountId} ${id}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const driver = openDriver(id, accountId, { parts, simulator })
    opened.set(key, driver)
    driver.catch(() => opened.delete(key))
    return driver
  }
}

async function openDriver(
  processorId: string,
  accountId: string,
  { parts, simulator }: { parts: Parts; simulator: Simulator | null },
): Promise<Driver> {
  const [row] = await parts.db.read(
    'SELECT driver, config, sealed_secret FROM processors WHERE account_id = ? AND id = ?',
    [accountId, processorId],
  )
  if (row === undefined) throw new Error(`The account ${accountId} has no processor ${processorId}.`)
  const driver = String(row['driver'])
  if (driver === 'stripe') return openStripe(row, processorId, parts)
  if (driver === 'simulator' && simulator !== null) return simulator.openProcessor({ ...parts, processorId })
  throw new Error(`The processor ${processorId} has the driver '${driver}', which this platform does not have.`)
}

/** Stripe's package is large: it is loaded by the first payment that needs it. */
async function openStripe(row: Row, processorId: string, parts: Parts): Promise<Driver> {
  const [{ stripeClient }, { stripeDriver }] = await Promise.all([
    import('./stripe/stripe-client.ts'),
    import('./stripe/stripe-driver.ts'),
  ])
  const { apiUrl } = readProcessorSettings(row['config'])
  const secretKey = openProcessorSecret(String(row['sealed_secret']), processorId, parts)
  return stripeDriver(stripeClient({ secretKey, ...(apiUrl !== null && { apiUrl }) }), parts.clock)
}
