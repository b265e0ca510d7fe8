import { AsyncLocalStorage } from 'node:async_hooks'
import type { Dice } from './dice.ts'
import type { Scheduler, Step } from './scheduler.ts'

/** The process at work. Whatever a process starts stays attributed to it, across any number of promises. */
const atWork = new AsyncLocalStorage<Host>()

/** The process at work; `null` for the world around it. */
export function currentHost(): Host | null {
  return atWork.getStore() ?? null
}

/** The deviations of a machine from a perfect one. */
export interface HostTraits {
  /** How far its wall clock is ahead of the world's, in milliseconds. */
  skewMs: number
  /** The rate of its clocks; 1 is exact. */
  rate: number
}

/**
 * A machine with one process: its clocks, its timers, its randomness. After a crash nothing of it runs any more: a
 * timer, a query or a request that it awaits never resolves.
 */
export class Host {
  readonly name: string
  readonly dice: Dice
  readonly #scheduler: Scheduler
  readonly #bootedMs: number
  #skewMs: number
  readonly #rate: number
  #pausedUntilMs = 0
  #isAlive = true

  constructor(name: string, { scheduler, dice }: { scheduler: Scheduler; dice: Dice }, traits: HostTraits) {
    this.name = name
    this.dice = dice
    this.#scheduler = scheduler
    this.#bootedMs = scheduler.nowMs
    this.#skewMs = traits.skewMs
    this.#rate = traits.rate
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** The time of `Date.now()` on this machine. */
  wallMs(): number {
    return Math.floor(this.#bootedMs + this.#elapsedMs() + this.#skewMs)
  }

  /** The time of `performance.now()` on this machine. */
  monotonicMs(): number {
    return this.#elapsedMs()
  }

  #elapsedMs(): number {
    return (this.#scheduler.nowMs - this.#bootedMs) * this.#rate
  }

  /** Sets the machine's clock forward, or back for a negative number. */
  setClock(byMs: number): void {
    this.#skewMs += byMs
  }

  /** Nothing runs here for a while, as in a stopped container, a garbage collection, or a machine that swaps. */
  pause(forMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#scheduler.nowMs + forMs)
  }

  /** Crashes the process, as by `kill -9` or a power cut. */
  crash(): void {
    this.#isAlive = false
  }

  /**
   * Schedules work in the name of the process. Dropped if the process is gone by then, or has canceled it: work that came
   * due while it was paused can still be canceled by what runs first afterwards.
   */
  after(delayMs: number, label: string, run: () => void): Step {
    const runUnlessCanceled = () => {
      if (!step.isCanceled) run()
    }
    const step = this.#scheduler.after(delayMs / this.#rate, `${this.name} ${label}`, () =>
      this.do(runUnlessCanceled, label),
    )
    return step
  }

  /** Runs work now; later if the process is paused, and never once it has crashed. */
  do(run: () => void, label = 'goes on'): void {
    if (!this.#isAlive) return
    const heldMs = this.#pausedUntilMs - this.#scheduler.nowMs
    if (heldMs > 0) this.#scheduler.after(heldMs, `${this.name} ${label}, after a pause`, () => this.do(run, label))
    else atWork.run(this, run)
  }
}
