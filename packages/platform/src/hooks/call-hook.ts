import { HOOK_ANSWER_MAX_BYTES, HOOK_TIMEOUT_MAX_MS } from '@tillwright/contract'
import { type Deliver, egress } from '../events/index.ts'
import type { CallHook, HookCall, HookReply } from '../request-context.ts'

/** How many questions of an account may be under way in a process: its hanging server holds no more than these. */
const AT_ONCE_OF_ACCOUNT = 16
/** How many of an account may wait for those. */
const WAITING_OF_ACCOUNT = 64

/** So many failures in a row open a hook's circuit, and for so long. Then one question tries again. */
const FAILURES_MAX = 5
const OPEN_MS = 5_000
/** How many addresses with failures are remembered; the oldest are forgotten first. */
const REMEMBERED_MAX = 10_000

/** The parts that tests replace. `nowMs` never goes back. */
interface CallerParts {
  deliver: Deliver
  nowMs?: () => number
}

/** The way to merchants' own servers, with connections of its own. The same rules as for webhooks guard it. */
export function hookWayOut(options: Omit<Parameters<typeof egress>[0], 'excerptMaxBytes'>): Deliver {
  return egress({ ...options, excerptMaxBytes: HOOK_ANSWER_MAX_BYTES + 1 })
}

/**
 * Posts questions to merchants' servers. A person waits for each of them: its time counts by the machine, whatever the
 * platform's clock is set to.
 */
export function hookCaller({ deliver, nowMs = () => performance.now() }: CallerParts): CallHook {
  const places = accountPlaces()
  const circuit = circuits(nowMs)
  return async ({ accountId, url, timeoutMs, headers, body }: HookCall) => {
    const target = `${accountId} ${url}`
    const limit = AbortSignal.timeout(Math.min(timeoutMs, HOOK_TIMEOUT_MAX_MS))
    const leave = await places.enter(accountId, limit)
    if (leave === null) return { failure: 'busy', detail: 'Too many questions of the account were under way.' }
    try {
      if (!circuit.allows(target)) {
        return { failure: 'circuit_open', detail: 'The server failed repeatedly; it is asked again within 5 seconds.' }
      }
      const reply = replyOf(await deliver(url, { headers, body }, limit), limit)
      circuit.note(target, 'text' in reply)
      return reply
    } finally {
      leave()
    }
  }
}

function replyOf(answer: Awaited<ReturnType<Deliver>>, limit: AbortSignal): HookReply {
  if (limit.aborted) return { failure: 'timeout', detail: 'There was no answer in time.' }
  if ('failure' in answer) return { failure: 'unreachable', detail: answer.failure }
  const { status, excerpt } = answer
  if (status !== 200) return { failure: 'status', detail: `The answer was ${status}, not 200.` }
  if (Buffer.byteLength(excerpt) <= HOOK_ANSWER_MAX_BYTES) return { text: excerpt }
  return { failure: 'too_large', detail: `The answer has more than ${HOOK_ANSWER_MAX_BYTES} bytes.` }
}

/** Places in line, by account: first come, first served. */
function accountPlaces() {
  const lines = new Map<string, { taken: number; waiting: Set<() => void> }>()
  const leave = (accountId: string) => {
    const line = lines.get(accountId)
    if (line === undefined) return
    const [next] = line.waiting
    if (next !== undefined) return next() // the place goes on
    line.taken -= 1
    if (line.taken === 0) lines.delete(accountId)
  }
  return {
    /** @returns Gives the place back; `null` when there was none in time. */
    async enter(accountId: string, limit: AbortSignal): Promise<(() => void) | null> {
      const line = lines.get(accountId) ?? { taken: 0, waiting: new Set() }
      lines.set(accountId, line)
      if (line.taken < AT_ONCE_OF_ACCOUNT) {
        line.taken += 1
        return () => leave(accountId)
      }
      if (line.waiting.size >= WAITING_OF_ACCOUNT) return null
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const come = () => end(true)
      const giveUp = () => end(false)
      const end = (hasPlace: boolean) => {
        line.waiting.delete(come)
        limit.removeEventListener('abort', giveUp)
        resolve(hasPlace)
      }
      line.waiting.add(come)
      limit.addEventListener('abort', giveUp)
      return (await promise) ? () => leave(accountId) : null
    },
  }
}

/** Addresses that failed repeatedly and are left alone for a while. */
function circuits(nowMs: () => number) {
  const failing = new Map<string, { failures: number; openUntilMs: number }>()
  return {
    allows(target: string): boolean {
      const state = failing.get(target)
      if (state === undefined || state.failures < FAILURES_MAX) return true
      if (nowMs() < state.openUntilMs) return false
      state.openUntilMs = nowMs() + OPEN_MS // this one tries; the others wait for what becomes of it
      return true
    },
    note(target: string, isAnswered: boolean): void {
      const failures = (failing.get(target)?.failures ?? 0) + 1
      failing.delete(target)
      if (isAnswered) return
      failing.set(target, { failures, openUntilMs: nowMs() + OPEN_MS })
      const [oldest] = failing.keys()
      if (failing.size > REMEMBERED_MAX && oldest !== undefined) failing.delete(oldest)
    },
  }
}
