import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The end of a run of `main.ts`; `code` is `null` if the run was stopped. */
export interface WorldsRun {
  code: number | null
  output: string
}

/**
 * Runs `main.ts` in a process of its own, whose clocks and timers become those of its worlds.
 *
 * Steps leave short-lived garbage: a larger young generation copies less of it, which saves a tenth of the time.
 *
 * @param isEnough Whether the output so far suffices; then the run is stopped.
 */
export function runWorlds(
  args: readonly string[],
  isEnough: (output: string) => boolean = () => false,
): Promise<WorldsRun> {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--max-semi-space-size=64', main, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        output += text.toString()
        if (isEnough(output)) child.kill()
      })
    }
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
