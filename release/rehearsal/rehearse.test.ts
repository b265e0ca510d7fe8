import { expect, test } from 'vitest'
import { inSoak } from '../../.ci/soaks.ts'
import { rehearse, tableOf } from './rehearse.ts'

// In `npm test` the newcomer's flow installs the same packages with npm, and pays.
test.each(inSoak)(
  'a release works for every package manager, Node and framework, from an empty home on',
  { timeout: 3_600_000 },
  async () => {
    const results = await rehearse([], () => {})
    console.log(tableOf(results))
    expect(results.filter(({ problem }) => problem !== null)).toEqual([])
  },
)
