/** A value that notifies its subscribers of changes. `get` returns the same object until then. */
export interface Store<Value> {
  get(): Value
  /**
   * Calls a function whenever the value has changed, or what it is a part of.
   *
   * @returns A function that ends it.
   */
  subscribe(listener: () => void): () => void
}

/** A store that can be written. */
export interface Source<Value> extends Store<Value> {
  set(value: Value): void
}

/** Makes a store. Setting the value that it has already notifies no one. */
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
 * A part of a store as a store of its own.
 *
 * @param pick Answers the same object for the same value.
 */
export function partOf<Whole, Part>(whole: Store<Whole>, pick: (value: Whole) => Part): Store<Part> {
  return { get: () => pick(whole.get()), subscribe: whole.subscribe }
}
