import { spawnProgram, type Command } from './spawn-program.ts'

/** One thing that must hold: a program that exits with 0. */
export interface Step {
  name: string
  command: Command
}

/** Runs a step and prints a line with its time; when it fails, also everything that it printed. */
export async function runStep({ name, command }: Step): Promise<boolean> {
  const startMs = performance.now()
  const child = spawnProgram(command, ['ignore', 'pipe', 'pipe'])
  let output = ''
  const keep = (text: string) => (output += text)
  child.stdout?.setEncoding('utf8').on('data', keep)
  child.stderr?.setEncoding('utf8').on('data', keep)
  const passed = await new Promise<boolean>((resolve) => {
    child
      .on('close', (code) => resolve(code === 0))
      .on('error', (error) => {
        keep(error.message)
        resolve(false)
      })
  })
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1)
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(10)} ${seconds.padStart(5)} s`)
  if (!passed) console.log(output.trimEnd())
  return passed
}
