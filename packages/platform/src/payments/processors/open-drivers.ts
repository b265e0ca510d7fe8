import type { Parts } from '../../call.ts'
import type { Row } from '../../storage/database.ts'
import type { Driver, DriverOf } from './driver.ts'
import { openProcessorSecret } from './processor-secret.ts'
import { readProcessorSettings } from './processor-settings.ts'
import { simulator } from './simulator.ts'

/** Finds the driver of each processor by its row, once: what a row says of its driver never changes. */
export function openDrivers(parts: Parts): DriverOf {
  const opened = new Map<string, Promise<Driver>>()
  return ({ id, accountId, isPreview }) => {
    if (isPreview) return Promise.resolve(simulator({ ...parts, processorId: id }))
    const key = `${accountId} ${id}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const driver = openDriver(id, accountId, parts)
    opened.set(key, driver)
    driver.catch(() => opened.delete(key))
    return driver
  }
}

async function openDriver(processorId: string, accountId: string, parts: Parts): Promise<Driver> {
  const [row] = await parts.db.read(
    'SELECT driver, config, sealed_secret FROM processors WHERE account_id = ? AND id = ?',
    [accountId, processorId],
  )
  if (row === undefined) throw new Error(`The account ${accountId} has no processor ${processorId}.`)
  return row['driver'] === 'stripe' ? openStripe(row, processorId, parts) : simulator({ ...parts, processorId })
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
