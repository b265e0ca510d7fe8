import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BuilderName } from './builders.ts'
import type { Timing } from './time-builder.ts'

/** A process that builds on request, with its own esbuild service. */
export interface RunningBuilder {
  /** Resolves when it waits for the first build. The builder is not loaded yet. */
  ready: Promise<unknown>
  build(): Promise<Timing>
  /** Resolves when it has exited. */
  stop(): Promise<unknown>
}

/**
 * Starts a builder process.
 *
 * @param compiled A folder for Node's compile cache, as the command line uses one.
 */
export function startBuilder(name: BuilderName, root: string, compiled: string): RunningBuilder {
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled }
  const child = fork(join(import.meta.dirname, 'time-builder.ts'), [root, name], { env })
  return {
    ready: answer(child),
    build() {
      const built = answer(child)
      child.send('build')
      return built as Promise<Timing> // written by the script, which has the type
    },
    stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      return ended
    },
  }
}

async function answer(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const said = once(child, 'message', { signal: ended.signal })
  const end = () => ended.abort(new Error('A builder exited in the middle of a build.'))
  child.once('exit', end)
  const [message] = await said.finally(() => child.off('exit', end))
  return message
}
