import type { Database } from './database.ts'
import { type Migration, schemaOf } from './migration.ts'
import { readSchemaState, type StepState } from './schema-state.ts'
import { actionsOf } from './statements.ts'

/** A step of the schema, and how far it is. */
interface ListedStep {
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

/** How a database stands to the steps that a version knows. */
export async function schemaStatus(database: Database, steps: readonly Migration[]): Promise<SchemaStatus> {
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
