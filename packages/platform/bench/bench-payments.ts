import { createDatabase } from '../../../.ci/postgres-database.ts'
import { reportPayments } from './report-payments.ts'

/** Payments a second from the request to the delivered webhook, and what 3-D Secure adds, on both engines. */
export async function benchPayments(postgresUrl: string | null): Promise<void> {
  await reportPayments('sqlite', {})
  if (postgresUrl === null) return
  const [floor, platform] = [await createDatabase(postgresUrl), await createDatabase(postgresUrl)]
  await reportPayments('postgres', { floor, platform, threeds: await createDatabase(postgresUrl) })
}
