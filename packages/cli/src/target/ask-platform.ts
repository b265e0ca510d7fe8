import { answer, type OutputOptions } from '../terminal/output.ts'
import type { Connection } from './connect.ts'
import type { TargetOptions } from './find-target.ts'

/**
 * Sends a command's request to its platform and prints the answer. The client is loaded only by commands that use it.
 */
export async function askPlatform<Result>(
  options: OutputOptions & TargetOptions,
  work: (connection: Connection) => Promise<Result>,
  show: (result: Result) => string,
): Promise<void> {
  await answer(
    options,
    async () => {
      const { connect, tellingSource } = await import('./connect.ts')
      const connection = await connect(options)
      return tellingSource(connection.target, work(connection))
    },
    show,
  )
}
