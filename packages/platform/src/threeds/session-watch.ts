import type { Clock } from '../runtime/index.ts'

/** How often a session is read again while a caller waits: another process may have received its result. */
const READ_EVERY_MS = 2_000

/** A wait: how to read the value, when it is complete, and how long to wait. */
export interface Awaited<Value> {
  sessionId: string
  read: () => Promise<Value>
  isDone: (value: Value) => boolean
  untilMs: number
}

/** Lets requests wait for a session to change. */
export interface SessionWatch {
  /** Tells waiters in this process that a session has changed, so that they read it again at once. */
  changed(sessionId: string): void
  /** Resolves with the value once it is complete, or as it is when the time is over. */
  first<Value>(awaited: Awaited<Value>): Promise<Value>
}

/** @param stopping Aborted when the platform stops; ends all waits. */
export function sessionWatch(clock: Clock, stopping: AbortSignal): SessionWatch {
  const waiting = new Map<string, Set<AbortController>>()

  /** Before the session is read, so that no change falls between reading and waiting. */
  function enter(sessionId: string): AbortController {
    const woken = new AbortController()
    const others = waiting.get(sessionId) ?? new Set()
    waiting.set(sessionId, others.add(woken))
    return woken
  }

  function leave(sessionId: string, woken: AbortController): void {
    const others = waiting.get(sessionId)
    others?.delete(woken)
    if (others?.size === 0) waiting.delete(sessionId)
    woken.abort('left') // without a reason an error would be made each time, with its stack
  }

  return {
    changed(sessionId) {
      for (const woken of waiting.get(sessionId) ?? []) woken.abort()
    },
    async first({ sessionId, read, isDone, untilMs }) {
      for (;;) {
        const woken = enter(sessionId)
        try {
          const value = await read()
          if (isDone(value) || stopping.aborted || clock.now() >= untilMs) return value
          const nextMs = Math.min(untilMs, clock.now() + READ_EVERY_MS)
          await clock.until(nextMs, AbortSignal.any([woken.signal, stopping]))
        } finally {
          leave(sessionId, woken)
        }
      }
    },
  }
}
