import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builders, type BuilderName } from './builders.ts'
import { packBuilder } from './pack-builder.ts'
import { compareTimings, timingsAsMarkdown } from './report-build.ts'
import { startBuilder, type RunningBuilder } from './start-builder.ts'
import type { Timing } from './time-builder.ts'
import { writePlugin } from './write-plugin.ts'

/**
 * The number of processes per builder that build once, and the number of builds in one process of each; the first of
 * the latter is not counted.
 */
const RUNS = Number(process.env['BENCH_RUNS'] ?? 15)

/**
 * `pnpm bench build`: the build time of a plugin with 5 pages and 120 modules, compared with plain esbuild and Vite.
 */
const names = Object.keys(builders) as BuilderName[] // the keys of a literal
const scratch = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-bench-build-')))
try {
  const root = join(scratch, 'plugin')
  await writePlugin(root, join(import.meta.dirname, '../node_modules'))
  await packBuilder()
  const start = () => names.map((name) => startBuilder(name, root, join(scratch, 'compiled')))
  const cold: Timing[] = []
  for (let run = 0; run < RUNS; run += 1) cold.push(...(await takeTurns(start(), 1)))
  const warm = await takeTurns(start(), RUNS + 1)
  const figures = { cold, warm: warm.slice(names.length) }
  for (const sentence of compareTimings(figures)) console.log(sentence)
  console.log(`\n${timingsAsMarkdown(figures)}`)
} finally {
  await rm(scratch, { recursive: true, force: true })
}

/**
 * Alternates between builders, so that a slow moment of the machine affects all of them; each round starts with another
 * one, because work that a builder leaves behind slows down the next.
 */
async function takeTurns(running: readonly RunningBuilder[], rounds: number): Promise<Timing[]> {
  const timings: Timing[] = []
  await Promise.all(running.map(({ ready }) => ready))
  for (let round = 0; round < rounds; round += 1) {
    const first = round % running.length
    for (const { build } of [...running.slice(first), ...running.slice(0, first)]) timings.push(await build())
  }
  await Promise.all(running.map(({ stop }) => stop()))
  return timings
}
