import { extname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

interface ThreadOptions extends Pick<WorkerOptions, 'workerData' | 'resourceLimits'> {
  /**
   * `dropped`: it holds secrets, and what comes from outside is worked on. `kept`: an operator's `NODE_OPTIONS` count for
   * the thread, too.
   */
  environment: 'dropped' | 'kept'
}

/**
 * Starts a thread.
 *
 * @param body Its file without the ending, such as `new URL('./writer', import.meta.url)`.
 */
export function startThread(body: URL, { environment, ...options }: ThreadOptions): Worker {
  const { NODE_COMPILE_CACHE } = process.env // see `keep-compiled.ts`
  const bare = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
  const file = new URL(`${body.href}${extname(import.meta.url)}`) // .ts from source, .js when built
  return new Worker(file, {
    ...options,
    // Drops the process's own flags: some, such as --input-type, apply only to its entry point.
    execArgv: [],
    ...(environment === 'dropped' && { env: bare }),
  })
}
