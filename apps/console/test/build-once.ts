import { isBuilt } from '../../../.ci/is-built.ts'
import { isNeeded } from '../../../.ci/matching-tests.ts'
import { buildConsole } from '../build.ts'

/** Builds the console before a run of browser tests, unless all packages were built just now. */
export async function setup(): Promise<void> {
  if (!isBuilt && isNeeded('console')) await buildConsole()
}
