import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builders } from './builders.ts'
import { packBuilder } from './pack-builder.ts'
import { compareTimings, timingsAsMarkdown } from './report-build.ts'
import type { Timing } from './time-builder.ts'
import { writePlugin } from './write-plugin.ts'

/** Processes that build once, for each builder; and builds in one process, of which the first is left out. */
const RUNS = Number(process.env['BENCH_RUNS'] ?? 15)

/** `pnpm bench build`: how long a plugin of 5 pages and 120 modules takes, beside plain esbuild and Vite. */
const names = Object.keys(builders)
const scratch = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-bench-build-')))
try {
  const root = join(scratch, 'plugin')
  await writePlugin(root, join(import.meta.dirname, '../node_modules'))
  await packBuilder()
  const cold: Timing[] = []
  for (let run = 0; run < RUNS; run += 1) {
    for (const name of names) cold.push(...(await timeBuilders(root, 1, [name])))
  }
  const warm = await timeBuilders(root, RUNS + 1, names)
  const figures = { cold, warm: warm.slice(names.length) }
  for (const sentence of compareTimings(figures)) console.log(sentence)
  console.log(`\n${timingsAsMarkdown(figures)}`)
} finally {
  await rm(scratch, { recursive: true, force: true })
}

async function timeBuilders(root: string, rounds: number, which: readonly string[]): Promise<Timing[]> {
  const script = join(import.meta.dirname, 'time-builder.ts')
  const args = [script, root, String(rounds), ...which]
  // As the command line has it: Node keeps what it has compiled.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(scratch, 'compiled') }
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: Infinity, env })
  return JSON.parse(stdout) // written by the script, which has the type
}
