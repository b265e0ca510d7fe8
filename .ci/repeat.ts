import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { matchingTests } from './matching-tests.ts'
import { runStep } from './run-step.ts'

/**
 * `pnpm repeat funnel.browser` runs each test file whose path contains the text twenty times, next to threads that take
 * all the processor time that they get, two for each processor. A test that waits for an event passes every time; one
 * that hopes for speed does not. `--times 5` and `--load 0` change the two numbers.
 */
const { values, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '20' }, load: { type: 'string', default: '2' } },
})
const [times, load] = [count('times'), count('load')]
const files = matchingTests(patterns)
if (files.length === 0) refuse('Name a part of the path of at least one test file, for example: pnpm repeat funnel')

const busy = Array.from({ length: load * availableParallelism() }, () => new Worker('for (;;);', { eval: true }))
const failures: string[] = []
for (const file of files) {
  for (let run = 1; run <= times; run++) {
    const name = `${file} ${run}`
    if (!(await runStep({ name, command: ['vitest', 'run', file] }))) failures.push(name)
  }
}
await Promise.all(busy.map((worker) => worker.terminate()))
console.log(`${files.length} files, ${times} runs each, ${failures.length} failures`)
for (const failure of failures) console.log(failure)
process.exitCode = failures.length === 0 ? 0 : 1

function count(option: 'times' | 'load'): number {
  const value = Number(values[option])
  return Number.isInteger(value) && value >= 0 ? value : refuse(`--${option} is a whole number, such as 5.`)
}

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}
