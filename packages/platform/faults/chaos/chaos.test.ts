import { expect, inject, onTestFinished, test } from 'vitest'
import { soaks } from '../../../../.ci/soaks.ts'
import { seededRandomness } from '../../src/runtime/randomness.ts'
import { engines } from '../new-place.ts'
import { hasBalancer } from './balancer.ts'
import { faultNamed } from './faults.ts'
import { runRounds } from './rounds.ts'
import { givenDatabase } from './site-database.ts'
import { openSite } from './site.ts'

const isHere = hasBalancer && engines.includes('postgres')
if (!hasBalancer) console.warn('Three platforms behind a balancer are not tested: haproxy is missing.')

/** One round of what `pnpm chaos` does, which has every fault; that a kill -9 loses nothing is also in lost-holders.test.ts. */
test.runIf(isHere)(
  'three platforms behind haproxy lose nothing, and no request, to a rolling restart',
  { timeout: 240_000 },
  async () => {
    const site = await openSite(givenDatabase(inject('postgresUrl') ?? ''), onTestFinished)
    const terms = { rounds: 1, buyers: 3, randomness: seededRandomness('slice of chaos'), aroundMs: 500 }
    for (const name of soaks ? ['rolling-restart', 'kill'] : ['rolling-restart']) {
      const { violations, purchases } = await runRounds(faultNamed(name), site, terms)
      expect(violations).toEqual([])
      expect(purchases).toBeGreaterThan(5)
    }
  },
)
