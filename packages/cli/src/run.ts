import { CommanderError } from 'commander'
import { programFor } from './program.ts'
import { exitCodes, partMissing } from './terminal/fail-with.ts'
import { answer } from './terminal/output.ts'

/** Runs one command line: what stands behind `tillwright`. The process ends with one of `exitCodes`. */
export async function run(words: readonly string[]): Promise<void> {
  try {
    const program = await programFor(words)
    await program.parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (partMissing(error) !== null) return tell(error, words)
    if (!(error instanceof CommanderError)) throw error
    // Commander has told what is wrong. Asking for help is no mistake, a line without any command is.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage
  }
}

/** A group that could not be loaded knows no options; what its caller wants to read is in the words. */
function tell(error: unknown, words: readonly string[]): Promise<void> {
  return answer({ json: words.includes('--json') }, () => Promise.reject(error), String)
}
