import { hash } from 'node:crypto'
import type { Statement } from '../database.ts'

/** A statement in PostgreSQL's dialect. */
export interface Translation {
  /** Name of the prepared statement, made of its text so that it means the same in every process; empty if not kept. */
  name: string
  text: string
}

export type Translate = (statement: Pick<Statement, 'sql' | 'expect'>) => Translation

/** Statements beyond this number are parsed each time: a server keeps prepared statements until the connection ends. */
const MAX_PREPARED = 1_000

/** Matches quoted text, so that a `?` within it is left alone. */
const QUOTED_OR_PARAMETER = /'[^']*'|"[^"]*"|\?/g

/**
 * @returns Translates statements, each text once: `?` becomes `$1`, `$2` and so on, and a guard becomes part of the
 *   SQL, so that a violation fails on the server, with code 22012, before the statements after it run.
 */
export function translator(): Translate {
  const known = new Map<string, Translation>()
  return ({ sql, expect }) => {
    const key = expect === undefined ? sql : `${expect} ${sql}`
    const found = known.get(key)
    if (found !== undefined) return found
    const text = guarded(numbered(inWordsOfPostgres(sql)), expect)
    if (known.size >= MAX_PREPARED) return { name: '', text }
    const translation = { name: nameOf(text), text }
    known.set(key, translation)
    return translation
  }
}

/** Processes that share the connections of a pooler must not give one name to two statements. */
function nameOf(text: string): string {
  return `t_${hash('sha256', text, 'base64url').slice(0, 22)}`
}

/**
 * `{writer}` is the server process, whose id is unique while it runs; a pooler gives it to no other transaction before
 * ours is over. `{now}` is the moment itself, not the beginning of the transaction.
 */
function inWordsOfPostgres(sql: string): string {
  return sql
    .replaceAll(/\{items\}|\{each\}/g, 'jsonb_array_elements(CAST(? AS jsonb)) AS item(value)')
    .replaceAll('{writer}', 'pg_backend_pid()')
    .replaceAll('{kept}', 'FOR KEY SHARE')
    .replaceAll('{now}', 'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)')
}

function numbered(sql: string): string {
  let count = 0
  return sql.replace(QUOTED_OR_PARAMETER, (match) => (match === '?' ? `$${++count}` : match))
}

function guarded(text: string, expect: number | undefined): string {
  if (expect === undefined) return text
  const counted = /^\s*SELECT\b/.test(text) ? text : `${text} RETURNING 1`
  return `WITH changed AS (${counted}) SELECT 1 / (count(*) = ${expect})::int FROM changed`
}
