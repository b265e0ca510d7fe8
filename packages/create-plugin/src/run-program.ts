import { spawn } from 'node:child_process'

/** How a program ended: its exit code, or `null` where it could not be started or a signal ended it. */
export interface Ended {
  code: number | null
  /** What it said on both outputs, if that was not shown. */
  said: string
}

/** Where a program runs, and whether what it says is shown as it comes, on our standard error. */
export interface RunOptions {
  cwd: string
  output: 'shown' | 'kept'
  /** Ends it with SIGINT. */
  signal: AbortSignal
  /** Variables beside those of this process. */
  env?: Readonly<Record<string, string>>
}

/** Runs a program to its end, and also waits for that when it is interrupted: it may be writing. */
export function runProgram(command: readonly string[], { cwd, output, signal, env }: RunOptions): Promise<Ended> {
  const [program = '', ...args] = command
  return new Promise((resolve) => {
    const stdio = output === 'shown' ? (['ignore', 2, 2] as const) : (['ignore', 'pipe', 'pipe'] as const)
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: [...stdio],
      shell: process.platform === 'win32',
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (said += text.toString()))
    const interrupt = () => void child.kill('SIGINT')
    signal.addEventListener('abort', interrupt)
    const end = (code: number | null) => {
      signal.removeEventListener('abort', interrupt)
      resolve({ code, said })
    }
    child.on('error', () => end(null)).on('close', end)
  })
}
