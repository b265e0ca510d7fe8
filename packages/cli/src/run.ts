import { CommanderError } from 'commander'
import { programFor } from './program.ts'
import { exitCodes, partMissing } from './terminal/fail-with.ts'
import { answer } from './terminal/output.ts'

/** Runs one command line: the words after `tillwright`. The process exits with one of `exitCodes`. */
export async function run(words: readonly string[]): Promise<void> {
  try {
    const program = await programFor(words)
    await program.parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (partMissing(error) !== null) return reportError(error, words)
    if (!(error instanceof CommanderError)) throw error
    // Commander has already reported the error. Asking for help is not an error, but a missing command is.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage
  }
}

/** If a group could not be loaded, its options are unknown; the output format is read from the words. */
function reportError(error: unknown, words: readonly string[]): Promise<void> {
  return answer({ json: words.includes('--json') }, () => Promise.reject(error), String)
}
