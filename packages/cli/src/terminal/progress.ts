import { isInteractive } from './interaction.ts'
import { showBytes } from './output.ts'

/** How far something has come, told on the standard error. */
export interface Progress {
  /** So many bytes more are done. */
  advance: (bytes: number) => void
  /** It is over, however it went. */
  end: (message: string) => void
}

/** Tells how far the sending of so many bytes has come: by a bar where somebody watches, else by a line when it is over. */
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
