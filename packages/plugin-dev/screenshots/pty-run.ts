import { spawn } from 'node:child_process'

/** A command that runs in a terminal of its own. */
export interface PtyRun {
  /** The output so far, with its colours. */
  printed: () => string
  /** Resolves when it has printed something that matches, behind what was printed at the last call. */
  said: (pattern: RegExp) => Promise<RegExpExecArray>
  press: (key: string) => void
  /** Presses q unless it has ended, and resolves when it has. */
  quit: () => Promise<void>
}

const PATIENCE_MS = 90_000
const LOOK_EVERY_MS = 50

/** Runs a command in a pseudo-terminal of 80 columns, by script(1) of util-linux. */
export function runInPty(command: string, options: { cwd: string; env: NodeJS.ProcessEnv }): PtyRun {
  const child = spawn('script', ['-qfec', `stty cols 80 rows 60; ${command}`, '/dev/null'], options)
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  let [printed, read] = ['', 0]
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  return {
    printed: () => printed,
    press: (key) => void child.stdin.write(key),
    async said(pattern) {
      for (const beganMs = performance.now(); performance.now() - beganMs < PATIENCE_MS;) {
        const found = pattern.exec(printed.slice(read))
        if (found !== null) {
          read += found.index + found[0].length
          return found
        }
        await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS))
      }
      throw new Error(`It has not said ${pattern}: ${printed}`)
    },
    async quit() {
      if (child.exitCode === null) child.stdin.write('q')
      await ended
    },
  }
}
