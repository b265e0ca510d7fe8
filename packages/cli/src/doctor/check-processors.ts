import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '@tillwright/platform'
import { fail, type Finding } from './checks.ts'

/**
 * Finds processors that are stopped because the platform has no driver for them; none if the database cannot be opened.
 */
export async function checkProcessors(config: Config): Promise<Finding[]> {
  if (!(await hasDatabase(config))) return []
  const { openOperator } = await import('@tillwright/platform')
  try {
    const operator = await openOperator(config)
    const stopped = await operator.processors.stopped().finally(() => operator.close())
    return stopped.map(({ id, accountId, driver }) =>
      fail(
        `the processor ${id} of ${accountId} is stopped: this platform has no driver '${driver}'`,
        `run a platform version that has it, or "tillwright processors archive ${id}"`,
      ),
    )
  } catch {
    return [] // reported by the check of the database
  }
}

async function hasDatabase({ databaseUrl, home }: Config): Promise<boolean> {
  if (databaseUrl !== undefined) return true
  return access(join(home, 'tillwright.db')).then(
    () => true,
    () => false,
  )
}
