import { AsyncLocalStorage } from 'node:async_hooks'
import type { Dice } from './dice.ts'
import type { Scheduler, Step } from './scheduler.ts'

/** Who is at work: everything that a process begins, it begins in its name, however many promises later. */
const atWork = new AsyncLocalStorage<Host>()

/** The process that is at work; `null` for the world around it. */
export function currentHost(): Host | null {
  return atWork.getStore() ?? null
}

/** How the machine of a process differs from a perfect one. */
export interface HostTraits {
  /** How far its wall clock is ahead of the world's, in milliseconds. */
  skewMs: number
  /** How fast its clocks run: 1 is right. */
  rate: number
}

/**
 * A machine with one process on it: its clocks, its timers, its randomness. A crash lets nothing of it happen any more:
 * whoever waits for a timer, the database or an answer waits for ever, at whichever `await` that was.
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

  /** What `Date.now()` says here. */
  wallMs(): number {
    return Math.floor(this.#bootedMs + this.#elapsedMs() + this.#skewMs)
  }

  /** What `performance.now()` says here. */
  monotonicMs(): number {
    return this.#elapsedMs()
  }

  #elapsedMs(): number {
    return (this.#scheduler.nowMs - this.#bootedMs) * this.#rate
  }

  /** Somebody sets the machine's clock. */
  setClock(byMs: number): void {
    this.#skewMs += byMs
  }

  /** Nothing runs here for so long: a stopped container, a collection of garbage, a disk that swaps. */
  pause(forMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#scheduler.nowMs + forMs)
  }

  /** `kill -9`, or the power. */
  crash(): void {
    this.#isAlive = false
  }

  /** Has something run here, in the name of the process, unless that is gone by then. */
  after(delayMs: number, label: string, run: () => void): Step {
    return this.#scheduler.after(delayMs / this.#rate, `${this.name} ${label}`, () => this.do(run, label))
  }

  /** Runs something here now; later while the process is paused, and never once it has crashed. */
  do(run: () => void, label = 'goes on'): void {
    if (!this.#isAlive) return
    const heldMs = this.#pausedUntilMs - this.#scheduler.nowMs
    if (heldMs > 0) this.#scheduler.after(heldMs, `${this.name} ${label}, after a pause`, () => this.do(run, label))
    else atWork.run(this, run)
  }
}
