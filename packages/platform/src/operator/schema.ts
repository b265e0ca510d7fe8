import type { Config } from '../config.ts'
import {
  migrate,
  type Migration,
  migrations,
  openAsItIs,
  type SchemaLog,
  schemaStatus,
  type SchemaStatus,
  workOnSchema,
} from '../storage/index.ts'

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
  const status = () => schemaStatus(database, steps)
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
