import { runWorlds } from '../run-worlds.ts'
import { plantedBugs } from './bugs.ts'
import type { Find } from './finds.ts'

/** Matches the report of a failed seed: its number, the invariant, and the faults that had struck. */
const FOUND = /FAILED: seed (\d+).*\n {2}([\w ]+):.*\n(?: {2}.*\n)*after (.*)\n/

/**
 * Looks for each planted bug, in a process of its own.
 *
 * @param seeds How many seeds are tried for each bug.
 * @param onFinds Called with all results so far, after each bug.
 * @returns Whether all bugs were found.
 */
export async function findPlanted({ seeds, say, onFinds }: Finding): Promise<boolean> {
  const finds: Find[] = []
  for (const { name } of plantedBugs) {
    // Ended before it makes the seed smaller.
    const { output } = await runWorlds(['--plant', name, '--seeds', String(seeds)], (text) => FOUND.test(text))
    const [, seed, invariant = '', faults = ''] = FOUND.exec(output) ?? []
    finds.push({ name, invariant, seed: seed ?? `none of ${seeds}`, faults: faults.split(', ').filter(Boolean) })
    say(`${name}: ${seed === undefined ? `not found ${output.slice(-300)}` : `${invariant}, seed ${seed}`}`)
    onFinds(finds)
  }
  const missed = finds.filter(({ invariant }) => invariant === '').length
  say(`${finds.length - missed} of ${finds.length} planted bugs were found`)
  return missed === 0
}

interface Finding {
  seeds: number
  say: (text: string) => void
  onFinds: (finds: readonly Find[]) => void
}
