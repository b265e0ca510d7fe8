import { commit } from '../src/http/commit.ts'
import { insertProcessor } from '../src/processors/processors.ts'
import type { TestPlatform } from './test-platform.ts'

let made = 0

/** Adds a simulated processor to the local account, unless another is named: its id. */
export async function newProcessor(
  { services, clock, local }: TestPlatform,
  accountId: string = local.accountId,
): Promise<string> {
  made += 1
  const id = `processor_test_${made}`
  await commit([insertProcessor({ id, accountId, name: `Test ${made}`, driver: 'simulator' }, clock.now())], services)
  return id
}
