import { hostname, userInfo } from 'node:os'
import { type AuditedChange, recordNow } from '../audit/index.ts'
import type { Actor, Services, Write } from '../request-context.ts'

/** The services that operator commands use. */
export type OperatorServices = Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment'>

/** A change by a command, without the operator, whom `recordCommand` adds. */
export type CommandChange = Pick<AuditedChange, 'accountId' | 'operation' | 'resource' | 'before' | 'after'>

/** Returns the statements that record what a command changes: they belong to the change's own transaction. */
export function recordCommand(change: CommandChange, services: OperatorServices): Write[] {
  return recordNow({ ...change, actor: operatorHere() }, services)
}

/** Whoever runs the command, by the name that the machine knows, and the machine. */
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
