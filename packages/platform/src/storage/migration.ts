import { OperatorError } from '../runtime/index.ts'

/**
 * One step of the schema, applied once and never edited once released. Its SQL is portable: `{text}` and `{int}` are the
 * column types, and `{strict}` follows the closing bracket of every CREATE TABLE, or `{narrow}` where a row is hardly
 * longer than its key, or `{revised}` where most rows change soon after they are made. `statements.ts` says which statements
 * each phase may have, and what they become on each engine.
 */
export type Migration = Expand | Backfill | Contract

interface Step {
  /** Begins with four digits, counted up from 0001: the number of the schema that it makes. */
  id: string
}

/** Adds what older code does without. Runs when a process of a newer version starts, while older ones go on. */
export interface Expand extends Step {
  /** `expand` unless given. */
  phase?: 'expand'
  statements: readonly string[]
}

/**
 * Fills what an expansion added, in batches, while the platform serves. Rows are taken in the order of the primary key.
 * Code of the same release must read rows that are not filled yet; code that knows a later contraction finds all of
 * them filled.
 */
export interface Backfill extends Step {
  phase: 'backfill'
  table: string
  /** The table's primary key. */
  key: readonly string[]
  /** Assignments, such as `family_name = substr(name, 1, 10)`; the same again for a row that is filled already. */
  set: string
  /** The condition of rows still to be filled, such as `family_name IS NULL`. */
  where: string
}

/** Removes what no code from this step on uses. Runs only once no process that does not know it is alive. */
export interface Contract extends Step {
  phase: 'contract'
  statements: readonly string[]
}

/** The number of a step: that of the schema that it makes. */
export const numberOf = ({ id }: Pick<Migration, 'id'>): number => Number(id.slice(0, 4))

/** The number of the newest schema that code with these migrations knows. */
export const schemaOf = (migrations: readonly Migration[]): number => Math.max(0, ...migrations.map(numberOf))

/** Whether code that knows these migrations relies on a backfill: it knows a contraction after it. */
export function isReliedOn(backfill: Backfill, migrations: readonly Migration[]): boolean {
  return migrations.some((other) => other.phase === 'contract' && numberOf(other) > numberOf(backfill))
}

/** Thrown when a database was changed by a newer version of the platform, in a way that this version cannot work with. */
export class DatabaseTooNew extends OperatorError {
  override readonly name = 'DatabaseTooNew'
}

/** Thrown when a command finds a database that no platform has used yet. */
export class DatabaseEmpty extends OperatorError {
  override readonly name = 'DatabaseEmpty'
}

/** Thrown when a database lacks a step of the schema and may not be given it now. */
export class DatabaseBehind extends OperatorError {
  override readonly name = 'DatabaseBehind'
}
