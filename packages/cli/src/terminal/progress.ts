import { isInteractive } from './interaction.ts'
import { showBytes } from './output.ts'

/** Reports progress on the standard error. */
export interface Progress {
  /** Adds completed bytes. */
  advance: (bytes: number) => void
  /** Ends the report, after a success or a failure. */
  end: (message: string) => void
}

/** Shows the progress of an upload: a bar in an interactive terminal, otherwise one line at the end. */
export async function showProgress(what: string, totalBytes: number): Promise<Progress> {
  if (!isInteractive()) return { advance: () => {}, end: (message) => void process.stderr.write(`${message}\n`) }
  const { progress } = await import('@clack/prompts')
  const bar = progress({ max: totalBytes, output: process.stderr })
  let done = 0
  bar.start(what)
  return {
    advance(bytes) {
      done += bytes
      bar.advance(bytes, `${what} ${showBytes(done)} of ${showBytes(totalBytes)}`)
    },
    end: (message) => bar.stop(message),
  }
}
