import { hostname, userInfo } from 'node:os'
import { PAGE_MAX } from '@tillwright/contract'
import { type AuditedChange, recordNow } from '../audit/index.ts'
import type { readList } from '../lists/index.ts'
import type { Actor, Services, Write } from '../request-context.ts'
import { ApiError, OperatorError } from '../runtime/index.ts'
import type { ListPage } from '../storage/index.ts'

/** The services that operator commands use. */
export type OperatorServices = Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment'>

/** A change by a command, without the operator, whom `recordCommand` adds. */
export type CommandChange = Pick<AuditedChange, 'accountId' | 'operation' | 'resource' | 'before' | 'after'>

/** Returns the statements that record what a command changes: they belong to the change's own transaction. */
export function recordCommand(change: CommandChange, services: OperatorServices): Write[] {
  return recordNow({ ...change, actor: operatorHere() }, services)
}

/** The user who runs the command, by the name that the machine knows, and the machine. */
function operatorHere(): Actor {
  return {
    kind: 'operator',
    id: userName()
      .replaceAll(/[^\w.@-]/g, '_')
      .slice(0, 64),
    name: hostname(),
  }
}

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 0}`
  }
}

/** All entries of a list that its filters let through, the oldest first. */
export async function everyEntry<Filters extends object, Entry>(
  filters: Filters,
  read: (query: Filters & Parameters<typeof readList>[1]['query']) => Promise<ListPage<Entry>>,
): Promise<Entry[]> {
  const all: Entry[] = []
  for (let after: string | undefined; ;) {
    const { data, nextCursor } = await read({ ...filters, limit: PAGE_MAX, order: 'asc', after })
    all.push(...data)
    if (nextCursor === null) return all
    after = nextCursor
  }
}

/** Command-line names of API parameters, where they differ. */
const options: Readonly<Record<string, string>> = {
  allowedOrigins: '--origin',
  endpointId: '--endpoint',
  from: '--from',
  to: '--to',
  limit: '--limit',
  after: '--after',
}

/** Converts an `ApiError` into an `OperatorError` with command-line names; returns any other error unchanged. */
export function toOperatorError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { param } = error.details
  const name = param?.replace(/\[\d+\]$/, '') ?? ''
  const message = error.message.replaceAll(/`(\w+)`/g, (whole, field: string) => options[field] ?? whole)
  return new OperatorError(param === undefined ? message : `${options[name] ?? param}: ${message}`)
}

/** Does work by the API's own rules. Refusals are expressed in terms of the command. */
export function inTermsOfCommand<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw toOperatorError(error)
  }
}

/** The same for work that takes its time. */
export async function withOperatorErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toOperatorError(error)
  }
}

/** @throws {OperatorError} For a time by which two secrets overlap that the API refuses as well. */
export function requireOverlap(hours: number, max: number): void {
  if (Number.isInteger(hours) && hours >= 0 && hours <= max) return
  throw new OperatorError(`--overlap: must be a whole number of hours from 0 to ${max}.`)
}
