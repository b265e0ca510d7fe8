import type { Link } from './link.ts'

/** Items on their way to the server. */
export interface Groups<Item> {
  add(item: Item): void
  /** Resolves when everything that was added is settled. */
  idle(): Promise<void>
}

/**
 * Whenever a connection is free, all the items that wait go out on it together: under load they share a round trip, and
 * alone none waits for another.
 *
 * @param options `maxGroup` bounds a group; `settle` answers every item of one and never rejects.
 */
export function inGroups<Item>(
  links: readonly Link[],
  options: { maxGroup: number; settle: (link: Link, group: readonly Item[]) => Promise<void> },
): Groups<Item> {
  const free = [...links]
  const busy = new Set<Promise<void>>()
  let waiting: Item[] = []
  function dispatch(): void {
    while (waiting.length > 0) {
      const link = free.pop()
      if (link === undefined) return
      const group = waiting.slice(0, options.maxGroup)
      waiting = waiting.slice(options.maxGroup)
      const work = options.settle(link, group).then(() => {
        busy.delete(work)
        free.push(link)
        dispatch()
      })
      busy.add(work)
    }
  }
  return {
    add(item) {
      // Node runs immediates after all the input of a turn, so what came in together goes out together.
      if (waiting.length === 0) setImmediate(dispatch)
      waiting.push(item)
    },
    async idle() {
      dispatch()
      while (busy.size > 0) await Promise.all(busy)
    },
  }
}
