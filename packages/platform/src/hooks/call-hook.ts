import { HOOK_ANSWER_MAX_BYTES, HOOK_TIMEOUT_MAX_MS } from '@tillwright/contract'
import { type Deliver, egress } from '../events/index.ts'
import type { CallHook, HookCall, HookReply } from '../request-context.ts'

/** How many questions of an account may be under way in a process: its hanging server holds no more than these. */
const AT_ONCE_OF_ACCOUNT = 16
/** How many of an account may wait for those. */
const WAITING_OF_ACCOUNT = 64
/** The most of both that pages get for prices: a flood of visitors leaves room for the questions of payments and renewals. */
const PAGES_SHARE = 0.75

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
  const places = placesInLine()
  const circuit = circuits(nowMs)
  return async ({ accountId, isForPage, url, timeoutMs, headers, body }: HookCall) => {
    const target = `${accountId} ${url}`
    const limit = AbortSignal.timeout(Math.min(timeoutMs, HOOK_TIMEOUT_MAX_MS))
    const leave = await places.enter({ accountId, isForPage }, limit)
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

/** Who asks. */
type Asker = Pick<HookCall, 'accountId' | 'isForPage'>

/** One that waits for a place. */
interface Waiting {
  isForPage: boolean
  come: () => void
}

/** The places of an account, and who waits for one. */
class Line {
  #taken = 0
  #takenForPages = 0
  readonly #waiting = new Set<Waiting>()

  get isEmpty(): boolean {
    return this.#taken === 0
  }

  isFreeFor(isForPage: boolean): boolean {
    return this.#taken < AT_ONCE_OF_ACCOUNT && (!isForPage || this.#takenForPages < AT_ONCE_OF_ACCOUNT * PAGES_SHARE)
  }

  take(isForPage: boolean): void {
    this.#taken += 1
    if (isForPage) this.#takenForPages += 1
  }

  /** The place goes on to the first who may have it. */
  leave(isForPage: boolean): void {
    this.#taken -= 1
    if (isForPage) this.#takenForPages -= 1
    const next = [...this.#waiting].find((each) => this.isFreeFor(each.isForPage))
    if (next === undefined) return
    this.#waiting.delete(next)
    this.take(next.isForPage)
    next.come()
  }

  /** @returns Whether there was a place in time. */
  async wait(isForPage: boolean, limit: AbortSignal): Promise<boolean> {
    const alike = [...this.#waiting].filter((each) => !isForPage || each.isForPage)
    if (alike.length >= WAITING_OF_ACCOUNT * (isForPage ? PAGES_SHARE : 1)) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting = { isForPage, come: () => resolve(true) }
    const giveUp = () => {
      this.#waiting.delete(waiting)
      resolve(false)
    }
    this.#waiting.add(waiting)
    limit.addEventListener('abort', giveUp)
    const hasPlace = await promise
    limit.removeEventListener('abort', giveUp)
    return hasPlace
  }
}

/** Places in line, by account: first come, first served. */
function placesInLine() {
  const lines = new Map<string, Line>()
  return {
    /** @returns Gives the place back; `null` when there was none in time. */
    async enter({ accountId, isForPage }: Asker, limit: AbortSignal): Promise<(() => void) | null> {
      const line = lines.get(accountId) ?? new Line()
      lines.set(accountId, line)
      const leave = () => {
        line.leave(isForPage)
        if (line.isEmpty) lines.delete(accountId)
      }
      if (line.isFreeFor(isForPage)) line.take(isForPage)
      else if (!(await line.wait(isForPage, limit))) return null
      return leave
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
