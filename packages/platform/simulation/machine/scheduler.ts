import type { Dice } from './dice.ts'

/** Something that will happen at a time. */
export interface Step {
  atMs: number
  /** Orders steps of one moment; drawn, so that each seed has another order. */
  tie: number
  number: number
  /** The name of the step in the log. */
  label: string
  run: () => void
  isCanceled: boolean
}

/** The only source of time: runs one step after the other, in an order that the seed decides. */
export interface Scheduler {
  /** True time in milliseconds since the Unix epoch. No machine of the world knows it exactly. */
  readonly nowMs: number
  /** Schedules a step after a delay. */
  after(delayMs: number, label: string, run: () => void): Step
  /** Takes out the next step and moves the time to it; `null` if there is none before the limit. */
  next(limitMs: number): Step | null
  /** Moves the time without running anything. */
  skipTo(timeMs: number): void
}

export function scheduler(startMs: number, dice: Dice): Scheduler {
  const heap: Step[] = []
  let nowMs = startMs
  let number = 0
  return {
    get nowMs() {
      return nowMs
    },
    after(delayMs, label, run) {
      const step = {
        atMs: nowMs + Math.max(0, delayMs),
        tie: dice.fraction(),
        number: ++number,
        label,
        run,
        isCanceled: false,
      }
      push(heap, step)
      return step
    },
    next(limitMs) {
      for (let step = heap[0]; step !== undefined && step.atMs <= limitMs; step = heap[0]) {
        pop(heap)
        if (step.isCanceled) continue
        nowMs = Math.max(nowMs, step.atMs)
        return step
      }
      return null
    },
    skipTo(timeMs) {
      nowMs = Math.max(nowMs, timeMs)
    },
  }
}

function isBefore(a: Step, b: Step): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs
  return a.tie === b.tie ? a.number < b.number : a.tie < b.tie
}

function push(heap: Step[], step: Step): void {
  let at = heap.length
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !isBefore(step, parent)) break
    heap[at] = parent
    at = above
  }
  heap[at] = step
}

function pop(heap: Step[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let at = 0
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
    if (left === undefined) break
    const isRight = right !== undefined && isBefore(right, left)
    const child = isRight ? right : left
    if (!isBefore(child, last)) break
    heap[at] = child
    at = 2 * at + (isRight ? 2 : 1)
  }
  heap[at] = last
}
