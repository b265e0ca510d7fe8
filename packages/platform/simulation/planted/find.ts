import { spawnWorlds } from '../spawn-worlds.ts'
import { plantedBugs } from './bugs.ts'
import type { Find } from './finds.ts'

/** What says that a seed has failed, how, and which faults had struck by then. */
const FOUND = /FAILED: seed (\d+).*\n {2}([\w ]+):.*\n(?: {2}.*\n)*after (.*)\n/

/**
 * Looks for planted bugs, each in a process of its own.
 *
 * @param seeds How many are tried for each.
 * @param told Called with all that were looked for so far, after each.
 * @returns Whether all were found.
 */
export async function findPlanted({ seeds, say, told }: Finding): Promise<boolean> {
  const finds: Find[] = []
  for (const { name } of plantedBugs) {
    const output = await outputOf(['--plant', name, '--seeds', String(seeds)])
    const [, seed, invariant = '', faults = ''] = FOUND.exec(output) ?? []
    finds.push({ name, invariant, seed: seed ?? `none of ${seeds}`, faults: faults.split(', ').filter(Boolean) })
    say(`${name}: ${seed === undefined ? `not found ${output.slice(-300)}` : `${invariant}, seed ${seed}`}`)
    told(finds)
  }
  const missed = finds.filter(({ invariant }) => invariant === '').length
  say(`${finds.length - missed} of ${finds.length} planted bugs were found`)
  return missed === 0
}

interface Finding {
  seeds: number
  say: (text: string) => void
  told: (finds: readonly Find[]) => void
}

function outputOf(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawnWorlds(args)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        output += text.toString()
        if (FOUND.test(output)) child.kill() // before it makes the seed smaller
      })
    }
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}
