import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Starts of each, alternating; the first few, which fill caches, do not count. */
const RUNS = Number(process.env['BENCH_RUNS'] ?? 60)
const WARM_UP = 3
/** The most that a start of `create-plugin` may take, as a share of Node with an empty file. */
const SHARE = 1.5

/**
 * `pnpm bench create`: how long the built create-plugin takes to start and to make a plugin, compared to an empty Node
 * program.
 */
const scratch = await mkdtemp(join(tmpdir(), 'tillwright-bench-create-'))
try {
  const empty = join(scratch, 'empty.cjs')
  await writeFile(empty, '')
  const main = join(import.meta.dirname, '../dist/main.cjs')
  const times = { empty: [] as number[], version: [] as number[], help: [] as number[], create: [] as number[] }
  for (let run = -WARM_UP; run < RUNS; run += 1) {
    const commands = {
      empty: [empty],
      version: [main, '--version'],
      help: [main, '--help'],
      create: [main, join(scratch, `plugin${run}`), '--template', 'funnel', '--yes', '--no-install'],
    }
    for (const name of ['empty', 'version', 'help', 'create'] as const) {
      const tookMs = timeOf(commands[name])
      if (run >= 0) times[name].push(tookMs)
    }
  }
  for (const name of ['version', 'help'] as const) {
    const share = median(times[name].map((timeMs, run) => timeMs / (times.empty[run] ?? Number.NaN)))
    console.log(
      `${share <= SHARE ? 'ok  ' : 'MISS'} --${name}: ${share.toFixed(2)} times an empty start (at most ${SHARE})`,
    )
  }
  console.log('\n|  | median | fastest |\n| --- | --- | --- |')
  for (const [name, of] of Object.entries(times))
    console.log(`| ${name} | ${median(of).toFixed(0)} ms | ${Math.min(...of).toFixed(0)} ms |`)
} finally {
  await rm(scratch, { recursive: true, force: true })
}

function timeOf(args: readonly string[]): number {
  const startedAtMs = performance.now()
  spawnSync(process.execPath, args)
  return performance.now() - startedAtMs
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
