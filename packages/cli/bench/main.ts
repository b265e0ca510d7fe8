import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Number of starts of each, interleaved; the first few, which fill caches, are not counted. */
const RUNS = Number(process.env['BENCH_RUNS'] ?? 60)
const WARM_UP = 3
/** Upper limit for `tillwright --version`, as a multiple of starting Node with an empty file. */
const SHARE = 1.5

/** `pnpm bench cli`: start-up time of the built command line, compared with an empty Node program. */
const scratch = await mkdtemp(join(tmpdir(), 'tillwright-bench-cli-'))
try {
  const empty = join(scratch, 'empty.mjs')
  await writeFile(empty, '')
  const main = join(import.meta.dirname, '../dist/main.js')
  const commands = {
    empty: [empty],
    version: [main, '--version'],
    help: [main, '--help'],
    validate: [main, 'validate', scratch],
  }
  const times = timeSideBySide(Object.entries(commands), { ...process.env, XDG_CACHE_HOME: scratch })
  const [floor = [], version = []] = [times.get('empty'), times.get('version')]
  const share = median(version.map((timeMs, run) => timeMs / (floor[run] ?? Number.NaN)))
  console.log(
    `${share <= SHARE ? 'ok  ' : 'MISS'} --version: ${share.toFixed(2)} times an empty start (at most ${SHARE})\n`,
  )
  console.log('|  | median | fastest |\n| --- | --- | --- |')
  for (const [name, of] of times)
    console.log(`| ${name} | ${median(of).toFixed(0)} ms | ${Math.min(...of).toFixed(0)} ms |`)
} finally {
  await rm(scratch, { recursive: true, force: true })
}

function timeSideBySide(
  commands: readonly (readonly [string, readonly string[]])[],
  env: NodeJS.ProcessEnv,
): Map<string, number[]> {
  const times = new Map(commands.map(([name]) => [name, [] as number[]]))
  for (let run = -WARM_UP; run < RUNS; run += 1) {
    for (const [name, args] of commands) {
      const startedAtMs = performance.now()
      spawnSync(process.execPath, args, { env })
      if (run >= 0) times.get(name)?.push(performance.now() - startedAtMs)
    }
  }
  return times
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
