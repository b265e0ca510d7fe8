import type { Row, Value } from '../database.ts'
import { type Answer, type BatchResult, rowsOf } from './batch.ts'
import type { Link } from './connection.ts'
import { failureOf, unavailable } from './failures.ts'
import type { GroupLimits, Waiting } from './groups.ts'
import type { Translate } from './translate.ts'

/** A read and its caller's promise. */
export interface WaitingRead extends Waiting {
  sql: string
  params: readonly Value[]
  resolve(rows: readonly Row[]): void
}

const MAX_ATTEMPTS = 3

/** Answers reads in one round trip; reads after a failed one are sent again. Never rejects. */
export async function settleReads(
  connection: Link,
  reads: readonly WaitingRead[],
  { translate, ...limits }: GroupLimits & { translate: Translate },
): Promise<void> {
  let rest = reads
  let attempts = 0
  while (rest.length > 0) {
    const result = await runReads(connection, rest, { translate, ...limits })
    for (const [i, answer] of result.answers.entries()) settle(rest[i], answer)
    rest = rest.slice(result.answers.length)
    if (result.outcome === 'done') return
    if (result.answers.length > 0) attempts = 0
    const failure = failureOf(result.error, false)
    if (failure === 'transient' && ++attempts < MAX_ATTEMPTS) continue
    const failed = failure === 'unavailable' ? rest : rest.slice(0, 1)
    for (const { reject } of failed) reject(failure === 'mistake' ? result.error : unavailable(result.error))
    rest = rest.slice(failed.length)
    attempts = 0
  }
}

async function runReads(
  connection: Link,
  reads: readonly WaitingRead[],
  { translate, untilMs }: GroupLimits & { translate: Translate },
): Promise<BatchResult> {
  try {
    const statements = reads.map(({ sql, params }) => ({ ...translate({ sql }), params }))
    return await connection.run(statements, untilMs)
  } catch (error) {
    return { outcome: 'failed', answers: [], statement: 0, error: unavailable(error) }
  }
}

function settle(read: WaitingRead | undefined, answer: Answer): void {
  try {
    read?.resolve(rowsOf(answer))
  } catch (error) {
    read?.reject(error instanceof Error ? error : new Error(String(error)))
  }
}
