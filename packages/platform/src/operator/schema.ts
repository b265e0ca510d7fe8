import type { Config } from '../config.ts'
import {
  actionsOf,
  type Database,
  migrate,
  type Migration,
  migrations,
  openAsItIs,
  readSchemaState,
  schemaOf,
  type SchemaLog,
  type StepState,
  workOnSchema,
} from '../storage/index.ts'

/** A step of the schema, and how far it is. */
export interface ListedStep {
  id: string
  phase: 'expand' | 'backfill' | 'contract'
  /** `filled`: every row was seen once; it is completed when a version starts that relies on it. */
  state: 'missing' | StepState['state']
  /** Rows that a backfill has gone through. */
  rows: number
  /** The statements for this engine. */
  statements: readonly string[]
}

/** How a database stands to the schema of this version. */
export interface SchemaStatus {
  engine: Database['engine']
  /** The schema that this version knows. */
  schema: number
  /** The oldest schema whose processes may still write; 0 before any change that shuts one out. */
  oldest: number
  steps: readonly ListedStep[]
  /** Ids of steps of a newer version. */
  newer: readonly string[]
}

/** Changes the schema of a database for `tillwright migrate`. */
export interface SchemaManagement {
  status: () => Promise<SchemaStatus>
  /** Does everything that can be done now: what only adds, what fills rows, and what no living process uses any more. */
  migrate: (log: SchemaLog) => Promise<SchemaStatus>
  close: () => Promise<void>
}

/**
 * Opens the database of a platform with this configuration, whatever its schema.
 *
 * @throws {OperatorError} If the database does not exist.
 */
export async function manageSchema(
  { home, databaseUrl, schema: { statementMs: schemaStatementMs } }: Config,
  steps: readonly Migration[] = migrations,
): Promise<SchemaManagement> {
  const url = databaseUrl === undefined ? {} : { url: databaseUrl }
  const database = await openAsItIs({ folder: home, schemaStatementMs, ...url })
  const status = () => statusOf(database, steps)
  return {
    status,
    async migrate(log) {
      await migrate(database, steps)
      await workOnSchema(database, steps, { contractAfterMs: 0, log })
      return status()
    },
    close: () => database.close(),
  }
}

async function statusOf(database: Database, steps: readonly Migration[]): Promise<SchemaStatus> {
  const state = await readSchemaState(database)
  const known = new Set(steps.map(({ id }) => id))
  return {
    engine: database.engine,
    schema: schemaOf(steps),
    oldest: state?.oldest ?? 0,
    steps: steps.map((step) => {
      const reached = state?.steps.get(step.id)
      const { id, phase = 'expand' } = step
      return {
        id,
        phase,
        state: reached?.state ?? 'missing',
        rows: reached?.rows ?? 0,
        statements: textOf(step, database.engine),
      }
    }),
    newer: [...(state?.steps.keys() ?? [])].filter((id) => !known.has(id)),
  }
}

function textOf(step: Migration, engine: Database['engine']): string[] {
  if (step.phase === 'backfill') return [`UPDATE ${step.table} SET ${step.set} WHERE ${step.where}, in batches`]
  return actionsOf(step, engine).flatMap((action) => {
    if (action.kind === 'transaction') return action.sql
    if (action.kind === 'alone') return [action.sql]
    const { table, column, change } = action
    return [`${table}.${column}: ${change.to === 'add' ? `add ${change.definition}` : change.to}`]
  })
}
