import type { Row, Value } from '../database.ts'
import { type Answer, rowsOf } from './answer.ts'
import type { BatchResult } from './batch.ts'
import { failureOf, unavailable } from './failure.ts'
import type { Link } from './link.ts'
import type { Translate } from './translate.ts'

/** A read whose caller waits for the rows. */
export interface WaitingRead {
  sql: string
  params: readonly Value[]
  resolve(rows: readonly Row[]): void
  reject(error: Error): void
}

const MAX_ATTEMPTS = 3

/** Answers reads in one round trip; behind one that fails they are asked again. Never rejects. */
export async function settleReads(link: Link, reads: readonly WaitingRead[], translate: Translate): Promise<void> {
  let rest = reads
  let attempts = 0
  while (rest.length > 0) {
    const result = await runReads(link, rest, translate)
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

async function runReads(link: Link, reads: readonly WaitingRead[], translate: Translate): Promise<BatchResult> {
  try {
    return await link.run(reads.map(({ sql, params }) => ({ ...translate({ sql }), params })))
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
