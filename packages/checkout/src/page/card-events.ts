import type { ToPage } from '../wire/index.ts'
import { CheckoutError } from './checkout-error.ts'

/**
 * The state of the form while it is filled in: never a digit. `errors` holds, per field, what the buyer sees in the
 * form at this moment; `null` where nothing is shown.
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
  /** The form did not get ready within 15 seconds, or was refused twice; nothing of it is left in the page. */
  loaderror: [error: CheckoutError]
  /** The form went away after it was ready, and with it what was typed: its process died, or the page threw it away or moved it. */
  error: [error: CheckoutError]
}

type Sets = { readonly [E in keyof CardEvents]: Set<(...details: CardEvents[E]) => void> }

/** The listeners of one card form. A function counts once per event, however often it is added. */
export interface CardListeners {
  /**
   * Adds a listener.
   *
   * @returns A function that removes it.
   * @throws CheckoutError `argument_invalid` for an event that there is not: scripts without types may ask for any.
   */
  on<E extends keyof CardEvents>(event: E, listener: (...details: CardEvents[E]) => void): () => void
  /** Calls the listeners of an event in the order in which they were added. */
  emit<E extends keyof CardEvents>(event: E, ...details: CardEvents[E]): void
}

/** Makes a place for the listeners of one card form. */
export function createListeners(): CardListeners {
  const listeners: Sets = {
    ready: new Set(),
    change: new Set(),
    brand: new Set(),
    focus: new Set(),
    blur: new Set(),
    submit: new Set(),
    loaderror: new Set(),
    error: new Set(),
  }
  return {
    on(event, listener) {
      if (!Object.hasOwn(listeners, event)) {
        throw new CheckoutError('argument_invalid', `There is no event "${event}".`)
      }
      listeners[event].add(listener)
      return () => void listeners[event].delete(listener)
    },
    emit(event, ...details) {
      for (const listener of listeners[event]) listener(...details)
    },
  }
}
