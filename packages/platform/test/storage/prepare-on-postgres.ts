import { inject } from 'vitest'
import { queryPostgres } from '../../../../.ci/postgres-database.ts'
import type { Statement } from '../../src/storage/database.ts'
import { translator } from '../../src/storage/postgres/translate.ts'

/** A statement as it decides what PostgreSQL is sent. */
export type Prepared = Pick<Statement, 'sql' | 'expect'>

/** Statements for SQLite only. */
const OF_SQLITE = /\bsqlite_schema\b/

const translate = translator()
/** Statements of this process's test files that PostgreSQL has accepted. */
const taken = new Set<string>()

/**
 * Has PostgreSQL, where it is installed, prepare statements that SQLite has run: it checks their grammar, tables, columns,
 * functions and types, and runs nothing. Rules above storage need no second run for that.
 *
 * @throws If it refuses one; the message is its error and the statement.
 */
export async function prepareOnPostgres(statements: Iterable<Prepared>): Promise<void> {
  const url = inject('postgresTables')
  if (url === null) return
  const texts = Array.from(statements, (statement) => translate(statement).text).filter(
    (text) => !taken.has(text) && !OF_SQLITE.test(text),
  )
  if (texts.length === 0) return
  const prepare = (text: string, index: number) => `PREPARE s${index} AS ${text}`
  try {
    await queryPostgres(url, texts.map(prepare).join(';\n'))
  } catch {
    // All at once, PostgreSQL does not tell which.
    for (const text of texts) {
      await queryPostgres(url, prepare(text, 0)).catch((error: unknown) => {
        throw new Error(`PostgreSQL does not take a statement that SQLite has run:\n${text}`, { cause: error })
      })
    }
  }
  for (const text of texts) taken.add(text)
}
