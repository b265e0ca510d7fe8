import type { KeptReason } from '@tillwright/contract'
import type { Row, Value } from './database.ts'

/**
 * How a column with personal data changes when its person is erased. `remove`: NULL, or empty text where the column
 * takes no NULL. `replace`: what `value` makes of it, which must leave an erased value as it is. `keep`: it stays, and
 * the receipt says why.
 */
export type PersonalRule = (
  | { rule: 'remove'; value: null | '' | 0 }
  | { rule: 'replace'; value: (value: Value, row: Row, nowMs: number) => Value; by: string }
  | { rule: 'keep'; reason: KeptReason }
) & {
  /** Whether an export names the column without this value. */
  isSecret?: (value: Value) => boolean
}

/** The rows of another table that rows belong to: those whose `by` is the other's `column`, or that field of its JSON. */
export interface Belonging {
  table: string
  column: string
  field?: string
}

/**
 * The personal data of a table: whose it is, how it is found, and what becomes of it. A column is either in `columns` or
 * in `others`, so that a new one is not forgotten.
 */
export interface PersonalTable {
  table: string
  /** The table's primary key, without the account. */
  key: readonly string[]
  /** The column that holds the customer's id. It has an index by account, customer and id. */
  customer?: string
  /** Rows are found by this column, which has an index with the account, through the rows that they belong to. */
  by?: string
  belongsTo?: readonly Belonging[]
  /** A condition of SQL that all rows of persons meet. */
  where?: string
  /** Rows that are never touched. */
  spares?: (row: Row) => boolean
  columns: Readonly<Record<string, PersonalRule>>
  /** Names of columns that say nothing of the person, separated by spaces. */
  others: string
  /** Why rows are deleted as a whole; a row that is not has `columns`' rules. */
  isDeleted?: true
  /** The row as an export shows it, where it is less than the row. */
  exported?: (row: Row) => Row
  /** The text of a row in which a mention of the customer's id tells that the row is about them: of rows that have no other link. */
  mentions?: (row: Row, open: OpenSealed) => string
}

/** Opens what rows keep sealed. */
export interface OpenSealed {
  answer: (row: Row) => string
}

/** A table without data of customers. `because` says why where it is not plain. */
export interface ImpersonalTable {
  table: string
  others: string
  because?: string
}

export const removed: PersonalRule = { rule: 'remove', value: null }
export const emptied: PersonalRule = { rule: 'remove', value: '' }
export const zeroed: PersonalRule = { rule: 'remove', value: 0 }

export function kept(reason: KeptReason): PersonalRule {
  return { rule: 'keep', reason }
}

export function replaced(by: string, value: (value: Value, row: Row, nowMs: number) => Value): PersonalRule {
  return { rule: 'replace', by, value }
}

/** The same for JSON text. NULL stays. */
export function replacedJson(by: string, value: (parsed: unknown, row: Row) => unknown): PersonalRule {
  return replaced(by, (text, row) => (typeof text === 'string' ? JSON.stringify(value(JSON.parse(text), row)) : text))
}

/** The same rule for a column that an export names without its value, or without those values that are secret. */
export function secretly(rule: PersonalRule, isSecret: (value: Value) => boolean = () => true): PersonalRule {
  return { ...rule, isSecret }
}
