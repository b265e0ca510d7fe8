/** Something that is kept in the browser from one page to the next; what cannot be read is what it begins with. */
export function remembered<Value>(key: string, first: Value): { get: () => Value; set: (value: Value) => void } {
  const name = `tillwright-toolbar:${key}`
  return {
    get() {
      try {
        return JSON.parse(localStorage.getItem(name) ?? '') as Value // what `set` has written
      } catch {
        return first
      }
    },
    set: (value) => localStorage.setItem(name, JSON.stringify(value)),
  }
}
