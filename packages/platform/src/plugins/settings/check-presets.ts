import { SCHEMA_CHECK_HEAP_MB, SCHEMA_CHECK_MS } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import { TaskStopped, workerPool, type WorkerPool } from '../../ambient/worker-pool.ts'
import type { Settings } from './live-settings.ts'
import type { InvalidPreset, SchemaTask, SchemaVerdict } from './schema-worker.ts'

/** Checks presets by the schemas of tenants, in threads of their own. */
export interface PresetChecker {
  /**
   * Checks presets against a JSON Schema of draft-07; what `meta` says of a preset is left out. Formats that nobody knows
   * are the plugin's own and hold no rule here.
   *
   * @returns At most 50 problems.
   * @throws {ApiError} `parameter_invalid` of `schema` when it is no schema, refers to others, has a pattern that cannot
   *   run in linear time, or exceeds a limit; `rate_limit_exceeded` when the account has too many checks waiting.
   */
  check: (accountId: string, schema: Settings, presets: Readonly<Record<string, Settings>>) => Promise<InvalidPreset[]>
  close: () => Promise<void>
}

/** Two threads, so that an account whose schema takes its whole time leaves one to the others. */
const THREADS = 2
/** More checks of one account than this are no one's day of work. */
const WAITING_MAX = 8

/** Makes a checker. Its threads are started when they are first needed. */
export function presetChecker(): PresetChecker {
  const pool = workerPool<SchemaTask, SchemaVerdict>(new URL('./schema-worker', import.meta.url), {
    threads: THREADS,
    taskMs: SCHEMA_CHECK_MS,
    heapMb: SCHEMA_CHECK_HEAP_MB,
    waiting: WAITING_MAX,
  })
  return {
    check: async (accountId, schema, presets) => {
      const verdict = await run(pool, accountId, { schema, presets })
      if ('problems' in verdict) return verdict.problems
      throw refused(verdict.refused)
    },
    close: () => pool.close(),
  }
}

async function run(
  pool: WorkerPool<SchemaTask, SchemaVerdict>,
  accountId: string,
  task: SchemaTask,
): Promise<SchemaVerdict> {
  try {
    return await pool.run(accountId, task)
  } catch (error) {
    if (!(error instanceof TaskStopped)) throw error
    switch (error.reason) {
      case 'time':
        throw refused(
          `schema takes longer than ${SCHEMA_CHECK_MS} ms to check the presets by; simplify its references, alternatives and patterns.`,
        )
      case 'memory':
        throw refused(
          `schema takes more than ${SCHEMA_CHECK_HEAP_MB} MiB of memory to check the presets by; simplify its references, alternatives and patterns.`,
        )
      case 'crowded':
        throw new ApiError(
          'rate_limit_exceeded',
          `${WAITING_MAX} changes of settings are waiting for their check already; send one after the other.`,
          { headers: { 'Retry-After': '1' } },
        )
    }
  }
}

function refused(message: string): ApiError {
  return new ApiError('parameter_invalid', message, { param: 'schema' })
}
