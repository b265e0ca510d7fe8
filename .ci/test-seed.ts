import { hash } from 'node:crypto'
import { relative } from 'node:path'
import { configureGlobal, readConfigureGlobal } from 'fast-check'
import { root } from './spawn-program.ts'

let file = 'no test'
let taken = 0

/**
 * A seed for a platform or a process that a test starts. It depends on `TILLWRIGHT_TEST_SEED`, on the test file and on how
 * many the file has taken before, so that the file draws the same alone as in a whole run.
 */
export function nextSeed(): string {
  taken += 1
  return `${fileSeed()} ${taken}`
}

/** Begins a test file: its seeds are counted from 1, and properties that name no seed begin with the file's. */
export function beginFile(path: string): void {
  file = relative(root, path).replaceAll('\\', '/')
  taken = 0
  configureGlobal({ ...readConfigureGlobal(), seed: Number.parseInt(hash('sha256', fileSeed()).slice(0, 8), 16) | 0 })
}

function fileSeed(): string {
  return `${process.env['TILLWRIGHT_TEST_SEED'] ?? performance.timeOrigin} ${file}`
}
