import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../../../../.ci/postgres-database.ts'
import { startPostgres } from '../../../../.ci/postgres.ts'
import { type Database, openDatabase, type Row } from '../../src/storage/index.ts'

const HEADER = '-- Generated from the migrations by `pnpm run schema`. Do not edit.\n\n'

/** The tables and indexes of a database, by the engine's own catalogue, sorted by name. */
export async function readSchema(database: Database): Promise<string> {
  const rows = await (database.engine === 'sqlite' ? readSqlite(database) : readPostgres(database))
  const tables = Map.groupBy(rows, (row) => row['tbl_name'])
  const texts = [...tables.values()].map((services) => services.map((part) => `${String(part['sql'])};\n`).join(''))
  return HEADER + texts.join('\n')
}

/** The committed text of an engine's schema. */
export const committedSchema = (engine: Database['engine']): Promise<string> => readFile(fileOf(engine), 'utf8')

function fileOf(engine: Database['engine']): string {
  return join(import.meta.dirname, `../../src/storage/schema/${engine}.sql`)
}

/** SQLite keeps the text of every CREATE. */
async function readSqlite(database: Database): Promise<readonly Row[]> {
  return database.read(
    "SELECT tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type = 'index', name",
    [],
  )
}

/** PostgreSQL keeps no text, so that each CREATE TABLE is put together from the catalogue. */
async function readPostgres(database: Database): Promise<readonly Row[]> {
  return database.read(
    `SELECT tbl_name, sql FROM (
      SELECT c.relname AS tbl_name, '' AS name, 'CREATE TABLE ' || c.relname || E' (\n  '
        || (SELECT string_agg(a.attname || ' ' || upper(format_type(a.atttypid, a.atttypmod))
            || CASE WHEN l.collname = 'C' THEN ' COLLATE "C"' ELSE '' END
            || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
            || COALESCE(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), ''), E',\n  ' ORDER BY a.attnum)
          FROM pg_attribute a
          LEFT JOIN pg_collation l ON l.oid = a.attcollation
          LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) || E',\n  '
        || (SELECT string_agg(pg_get_constraintdef(k.oid), E',\n  ' ORDER BY k.contype DESC, k.conname)
          FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype <> 'n') || ')' AS sql
      FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      UNION ALL
      SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND right(indexname, 5) <> '_pkey'
    ) AS parts ORDER BY tbl_name COLLATE "C", name COLLATE "C"`,
    [],
  )
}

if (import.meta.main) {
  const folder = await mkdtemp(join(tmpdir(), 'schema-'))
  const server = await startPostgres()
  if ('missing' in server) throw new Error(server.missing)
  for (const url of [undefined, await createDatabase(server.url)]) {
    const database = await openDatabase({ folder, ...(url === undefined ? {} : { url }) })
    await writeFile(fileOf(database.engine), await readSchema(database))
    await database.close()
  }
  await server.stop()
  await rm(folder, { recursive: true })
}
