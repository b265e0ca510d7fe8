import type { Store } from '@tillwright/plugin-sdk'

/** A store that can be written. */
export interface WritableStore<Value> extends Store<Value> {
  set(value: Value): void
}

/** Makes a store. Setting the current value again does not notify listeners. */
export function createStore<Value>(initial: Value): WritableStore<Value> {
  const listeners = new Set<() => void>()
  let current = initial
  return {
    get: () => current,
    set(value) {
      if (value === current) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
