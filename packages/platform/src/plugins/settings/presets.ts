import { SCHEMA_CHECK_HEAP_MB, SCHEMA_CHECK_MS } from '@tillwright/contract'
import { ApiError, TaskStopped, workerPool, type WorkerPool } from '../../runtime/index.ts'
import type { InvalidPreset, SchemaTask, SchemaVerdict } from './schema-worker.ts'
import { type LiveSettings, type Settings, settingsOf, type StoredSetting, toLive } from './settings.ts'

/**
 * Finds where presets would break the schema after a change, ignoring those that violate it already: an existing error
 * must not block an unrelated change.
 */
export async function presetVerdict(
  { live, changed }: { live: LiveSettings; changed: readonly StoredSetting[] },
  accountId: string,
  { check }: PresetChecker,
): Promise<InvalidPreset[]> {
  if (!changed.some(({ kind }) => kind === 'schema' || kind === 'preset')) return []
  const after = toLive(withChanges(live, changed))
  if (after.schema === null) return []
  const problems = await check(accountId, after.schema, after.presets)
  if (problems.length === 0) return []
  const known = live.schema === null ? [] : await check(accountId, live.schema, live.presets)
  const broken = new Set(known.map(({ preset }) => preset))
  const isTouched = new Set(changed.flatMap(({ kind, name }) => (kind === 'preset' ? [name] : [])))
  return problems.filter(({ preset }) => isTouched.has(preset) || !broken.has(preset))
}

function withChanges(live: LiveSettings, changed: readonly StoredSetting[]): StoredSetting[] {
  const all = new Map(settingsOf(live).map((each) => [`${each.kind} ${each.name}`, each]))
  for (const each of changed) all.set(`${each.kind} ${each.name}`, each)
  return [...all.values()]
}

/** @throws {ApiError} 409 with each place, of the schema if it changed and else of the presets that would become invalid. */
export function refuseInvalid(invalid: readonly InvalidPreset[], changed: readonly StoredSetting[]): void {
  if (invalid.length === 0) return
  const presets = new Set(invalid.map(({ preset }) => preset))
  const issues = invalid.map(({ preset, pointer, message }) => ({
    path: `presets.${preset}${dotted(pointer)}`,
    message,
    code: 'state_conflict',
  }))
  throw new ApiError(
    'state_conflict',
    `${presets.size === 1 ? '1 live preset' : `${presets.size} live presets`} would become invalid under the schema: ${[...presets].join(', ')}. Correct them, or send force: true.`,
    { param: changed.some(({ kind }) => kind === 'schema') ? 'schema' : 'presets', issues },
  )
}

/** A JSON pointer as the path of an issue continues: `/rows/0/colour` is `.rows[0].colour`. */
export function dotted(pointer: string): string {
  const steps = pointer.split('/').slice(1)
  const keys = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join('')
}

/** Checks presets by the schemas of tenants, in threads of their own. */
export interface PresetChecker {
  /**
   * Checks presets against a JSON Schema of draft-07, ignoring a preset's `meta`. Unknown formats belong to the plugin
   * and are not checked.
   *
   * @returns At most 50 problems.
   * @throws {ApiError} `parameter_invalid` of `schema` when it is no schema, refers to others, has a pattern that
   *   cannot run in linear time, or exceeds a limit; `rate_limit_exceeded` when the account has too many checks
   *   waiting.
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
