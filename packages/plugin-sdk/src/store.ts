/** A value that changes, and tells when it has. `get` keeps answering the same object until then. */
export interface Store<Value> {
  get(): Value
  /**
   * Calls a function whenever the value has changed.
   *
   * @returns A function that ends it.
   */
  subscribe(listener: () => void): () => void
}

/** A store that can be written. */
export interface Source<Value> extends Store<Value> {
  set(value: Value): void
}

/** Makes a store. Setting what it holds already tells nobody. */
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
      // A function of its own, so that a listener that is added twice is told twice, and taken out one by one.
      const call = (): void => listener()
      listeners.add(call)
      return () => void listeners.delete(call)
    },
  }
}

/**
 * A part of a store as a store of its own, which tells only when the part has changed.
 *
 * @param pick Answers the same object for the same value.
 */
export function partOf<Whole, Part>(whole: Store<Whole>, pick: (value: Whole) => Part): Store<Part> {
  const get = (): Part => pick(whole.get())
  return {
    get,
    subscribe(listener) {
      let last = get()
      return whole.subscribe(() => {
        const before = last
        last = get()
        if (last !== before) listener()
      })
    },
  }
}
