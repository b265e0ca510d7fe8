import type { ToPage } from '../wire/messages.ts'
import type { CheckoutError } from './checkout-error.ts'

/**
 * What the page may know of the form while it is filled in: never a digit. `errors` holds, per field, what the buyer
 * sees in the form at this moment; `null` where nothing is shown.
 */
export type CardChange = Omit<Extract<ToPage, { type: 'change' }>, 'type'>

/**
 * The network of the typed number as far as it is known, the buyer's choice where there is one, and all networks that
 * the shop takes and the number may be paid over: never a digit.
 */
export type CardBrand = Omit<Extract<ToPage, { type: 'brand' }>, 'type'>

/** The events of a card form and what their listeners are given. */
export interface CardEvents {
  /** The form can be used. */
  ready: []
  change: [state: CardChange]
  /** The number turned out to be of another network or of others, or the buyer chose one. */
  brand: [brand: CardBrand]
  /** The form as a whole gained the keyboard. */
  focus: []
  /** The form as a whole lost the keyboard. */
  blur: []
  /** The buyer pressed Enter: do what the page's own pay button does. */
  submit: []
  /** The form failed outside of a call: it did not load, or it went away. */
  error: [error: CheckoutError]
}

type Listeners = { [E in keyof CardEvents]: Set<(...details: CardEvents[E]) => void> }

/** The listeners of one card form. A function counts once per event, however often it is added. */
export class CardListeners {
  readonly #listeners: Listeners = {
    ready: new Set(),
    change: new Set(),
    brand: new Set(),
    focus: new Set(),
    blur: new Set(),
    submit: new Set(),
    error: new Set(),
  }

  /** @returns Whether there is an event of this name: scripts without types may ask for any. */
  knows(event: string): boolean {
    return Object.hasOwn(this.#listeners, event)
  }

  /** @returns A function that removes the listener. */
  add<E extends keyof CardEvents>(event: E, listener: (...details: CardEvents[E]) => void): () => void {
    this.#listeners[event].add(listener)
    return () => void this.#listeners[event].delete(listener)
  }

  /** Calls the listeners of an event in the order in which they were added. */
  emit<E extends keyof CardEvents>(event: E, ...details: CardEvents[E]): void {
    for (const listener of this.#listeners[event]) listener(...details)
  }

  /** Removes every listener. */
  clear(): void {
    for (const listeners of Object.values(this.#listeners)) listeners.clear()
  }
}
