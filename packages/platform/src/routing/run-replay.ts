import type { FlowReplay, NewFlowReplay, RoutingRules } from '@tillwright/contract'
import type { RequestContext } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { liveTakes } from './next-attempt.ts'
import { readPastPayments } from './past-payments.ts'
import { replayFlow } from './replay-flow.ts'

/** How long payments are read for before the answer is of those that were found. */
const READING_MS = 5_000
/** How many replays a process runs at once: each holds up to ten thousand payments. */
const AT_ONCE = 4

/** The accounts that a replay runs for in this process: one at a time for each. */
const running = new Set<string>()

/**
 * Runs the newest payments through the rules of a draft.
 *
 * @throws {ApiError} `concurrency_exceeded` while another replay of the account runs, or too many of others.
 */
export async function runReplay(
  rules: RoutingRules,
  { paymentFlowId, payments: limit, storeId, createdFrom, createdBefore }: NewFlowReplay,
  { caller: { accountId }, services: { db } }: RequestContext,
): Promise<FlowReplay> {
  if (running.has(accountId) || running.size >= AT_ONCE) throw tooMany()
  running.add(accountId)
  try {
    const untilMs = performance.now() + READING_MS
    const wanted = {
      accountId,
      limit,
      untilMs,
      sinceMs: createdFrom === undefined ? 0 : Date.parse(createdFrom),
      ...(createdBefore !== undefined && { beforeMs: Date.parse(createdBefore) }),
      ...(storeId !== undefined && { storeId }),
      ...(paymentFlowId !== undefined && { paymentFlowId }),
    }
    const [{ payments, isComplete: complete }, processors] = await Promise.all([
      readPastPayments(wanted, db),
      liveTakes(accountId, db),
    ])
    const time = (at: number) => isoOrNull(payments.at(at)?.createdMs)
    return {
      ...(await replayFlow(payments, { flow: rules, processors })),
      createdFrom: time(0),
      createdTo: time(-1),
      complete,
    }
  } finally {
    running.delete(accountId)
  }
}

function isoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

function tooMany(): ApiError {
  return new ApiError('concurrency_exceeded', 'A replay is under way; send the next one when it has answered.', {
    headers: { 'Retry-After': '1' },
  })
}
