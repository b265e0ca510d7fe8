import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { isNeeded } from '../../../.ci/matching-tests.ts'
import { buildCheckout } from '../build.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with a build of today's checkout, for tests in a browser. It is read-only by convention. */
    checkoutBuild: string
  }
}

/** Builds the checkout once for all browser tests of a run that need it. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!isNeeded('checkoutBuild')) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-checkout-'))
  await buildCheckout(folder)
  project.provide('checkoutBuild', folder)
  return () => rm(folder, { recursive: true })
}
