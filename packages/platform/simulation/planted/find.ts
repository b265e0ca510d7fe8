import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { plantedBugs } from './bugs.ts'

/** What says that a seed has failed, and how. */
const FOUND = /FAILED: seed (\d+).*\n {2}(.*)\n/

/** Looks for every planted bug, each in a process of its own. @returns Whether all were found. */
export async function findPlanted({ seeds, say }: { seeds: number; say: (text: string) => void }): Promise<boolean> {
  let missed = 0
  for (const { name } of plantedBugs) {
    const output = await outputOf(['--plant', name, '--seeds', String(seeds)])
    const [, seed, problem] = FOUND.exec(output) ?? []
    if (seed === undefined) missed += 1
    say(`| ${name} | ${seed ?? 'not found'} | ${(problem ?? output.slice(-300)).slice(0, 160)} |`)
  }
  say(`${plantedBugs.length - missed} of ${plantedBugs.length} planted bugs were found`)
  return missed === 0
}

function outputOf(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const main = fileURLToPath(new URL('../main.ts', import.meta.url))
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
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
