import type { Edited } from './edit-digits.ts'

/** How many edits can be undone. */
const MAX_EDITS = 100

/**
 * Undo history of an input. Browsers discard their own when a script sets the text, so the form keeps one.
 */
export class EditHistory {
  #states: Edited[] = [{ text: '', caret: 0 }]
  #at = 0

  /** Notes what the input shows after an edit; what had been undone can no longer be redone. */
  record(state: Edited): void {
    this.#states = [...this.#states.slice(0, this.#at + 1), state].slice(-MAX_EDITS - 1)
    this.#at = this.#states.length - 1
  }

  /** @returns What the input showed before the last edit; `null` when there is no earlier one. */
  undo(): Edited | null {
    return this.#go(-1)
  }

  /** @returns What the input showed before the last `undo()`; `null` when nothing was undone. */
  redo(): Edited | null {
    return this.#go(1)
  }

  /** Forgets every edit. */
  clear(): void {
    this.#states = [{ text: '', caret: 0 }]
    this.#at = 0
  }

  #go(step: number): Edited | null {
    const state = this.#states[this.#at + step]
    if (!state) return null
    this.#at += step
    return state
  }
}
