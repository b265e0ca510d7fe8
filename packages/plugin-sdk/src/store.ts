/** A value that notifies its subscribers of changes. `get` returns the same object until then. */
export interface Store<Value> {
  get(): Value
  /**
   * Calls a function whenever the value, or the store it is part of, has changed.
   *
   * @returns Ends the subscription.
   */
  subscribe(listener: () => void): () => void
}

/** A store that can be written. */
export interface Source<Value> extends Store<Value> {
  set(value: Value): void
}

/** Creates a store. Setting the current value again notifies no one. */
export function createStore<Value>(value: Value): Source<Value> {
  const listeners = new Set<() => void>()
  let current = value
  return {
    get: () => current,
    set(next) {
      if (next === current) return
      current = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/**
 * Derives a store from a part of another one.
 *
 * @param pick Returns the same object for the same value.
 */
export function partOf<Whole, Part>(whole: Store<Whole>, pick: (value: Whole) => Part): Store<Part> {
  return { get: () => pick(whole.get()), subscribe: whole.subscribe }
}
