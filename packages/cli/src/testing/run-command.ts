import os from 'node:os'
import { stripVTControlCharacters } from 'node:util'
// Loaded before any test changes the folder: it starts its own process in the one that it was loaded in.
import 'esbuild'
import { run } from '../run.ts'

/** A command's output and exit code. */
export interface Ran {
  code: number
  out: string
  err: string
}

/**
 * Runs a command of `tillwright` in this process, which takes a tenth of the time of a separate one. One at a time.
 *
 * @param settings The environment variables of the platform; there are no others.
 * @param folder The folder that it is run in; that of the tests unless given.
 */
export async function runCommand(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  folder = process.cwd(),
): Promise<Ran> {
  const formerFolder = process.cwd()
  const { env, exitCode, stdout, stderr } = process
  const [writeOut, writeErr] = [stdout.write, stderr.write]
  const { setPriority } = os
  let [out, err] = ['', '']
  process.env = { ...settings }
  process.exitCode = 0
  // A command that gives way to payments would do so with this whole process, and nothing would restore its priority.
  os.setPriority = () => {}
  stdout.write = (text: string | Uint8Array) => Boolean((out += String(text)))
  stderr.write = (text: string | Uint8Array) => Boolean((err += String(text)))
  process.chdir(folder)
  try {
    await run(args)
    return { code: process.exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) }
  } finally {
    stdout.write = writeOut
    stderr.write = writeErr
    os.setPriority = setPriority
    process.chdir(formerFolder)
    process.env = env
    process.exitCode = exitCode
  }
}
