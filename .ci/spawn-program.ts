import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { delimiter, join } from 'node:path'

/** The repository's folder. */
export const root = join(import.meta.dirname, '..')

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

const running = new Set<ChildProcess>()

/**
 * Starts a program of the system, of this repository or of its dependencies, in the repository's folder. It does not
 * outlive this process: a signal that ends us is passed on first.
 */
export function spawnProgram([program, ...args]: Command, stdio: StdioOptions): ChildProcess {
  const env = { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter) }
  const child = spawn(program, args, { cwd: root, env, stdio, shell: process.platform === 'win32' })
  running.add(child)
  child.on('close', () => running.delete(child)).on('error', () => running.delete(child))
  return child
}

for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal)
    process.kill(process.pid, signal)
  })
}
