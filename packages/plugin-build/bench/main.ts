import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builders, type BuilderName } from './builders.ts'
import { packBuilder } from './pack-builder.ts'
import { compareTimings, timingsAsMarkdown } from './report-build.ts'
import { startBuilder, type RunningBuilder } from './start-builder.ts'
import type { Timing } from './time-builder.ts'
import { writePlugin } from './write-plugin.ts'

/** Processes that build once, for each builder; and builds of one process of each, of which the first is left out. */
const RUNS = Number(process.env['BENCH_RUNS'] ?? 15)

/** `pnpm bench build`: how long a plugin of 5 pages and 120 modules takes, compared to plain esbuild and Vite. */
const names = Object.keys(builders) as BuilderName[] // of a constant
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
 * One builder after the other, so that a slow moment of the machine meets them all; each round begins with another one,
 * because what a builder leaves to be done behind its build takes time from the next.
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
