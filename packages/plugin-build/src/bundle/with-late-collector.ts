/**
 * How much esbuild's process may grow before it collects garbage, in percent of what it still needs: ten times as much as
 * unless told, because it ends with the build or waits for the next one. A plugin's build takes a fifth less time for it.
 * Source: Go's `runtime`, GOGC.
 */
const GROWTH = '1000'

/**
 * Calls what may start esbuild's process, so that it collects garbage late. Who has set `GOGC` has chosen already. This
 * process's environment is as before when it returns.
 */
export function withLateCollector<Result>(start: () => Result): Result {
  if (process.env['GOGC'] !== undefined) return start()
  process.env['GOGC'] = GROWTH
  try {
    return start()
  } finally {
    delete process.env['GOGC']
  }
}
