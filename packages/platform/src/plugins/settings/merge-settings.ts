import { isDeepStrictEqual } from 'node:util'
import { isObject } from '@tillwright/contract/json'

/**
 * What becomes of a value that author and merchant have both changed, each in another way. `merge` keeps the merchant's
 * and tells of it again with every synchronisation; `ours` keeps it and settles the matter; `theirs` takes the author's;
 * `strict` merges nothing that has one.
 */
export type MergeStrategy = 'merge' | 'theirs' | 'ours' | 'strict'

/** One setting as three know it; `undefined` where there is none. */
export interface ThreeWays {
  /** What the author synchronised last. */
  base: unknown
  /** What the author synchronises now. */
  theirs: unknown
  /** What is live, with the merchant's edits. */
  ours: unknown
}

/** What a merge came to. */
export interface Merged {
  live: unknown
  /** What the author counts as having synchronised from now on. */
  base: unknown
  /** JSON pointers (RFC 6901) of what both have changed. */
  conflicts: readonly string[]
}

/**
 * Merges what an author sends into what a merchant has edited: objects name by name, lists and everything else as a
 * whole. What one of the two has changed, or both alike, is no conflict.
 *
 * @param pointer Where the setting stands, for the pointers of conflicts.
 */
export function mergeSettings({ base, theirs, ours }: ThreeWays, strategy: MergeStrategy, pointer = ''): Merged {
  if (isDeepStrictEqual(theirs, ours)) return { live: ours, base: theirs, conflicts: [] }
  if (isDeepStrictEqual(base, theirs)) return { live: ours, base: theirs, conflicts: [] }
  if (isDeepStrictEqual(base, ours)) return { live: theirs, base: theirs, conflicts: [] }
  if (isObject(theirs) && isObject(ours)) {
    return mergeObjects({ base: isObject(base) ? base : {}, theirs, ours }, strategy, pointer)
  }
  switch (strategy) {
    case 'merge':
    case 'strict':
      return { live: ours, base, conflicts: [pointer] }
    case 'ours':
      return { live: ours, base: theirs, conflicts: [pointer] }
    case 'theirs':
      return { live: theirs, base: theirs, conflicts: [] }
  }
}

type JsonObject = Readonly<Record<string, unknown>>

function mergeObjects(
  { base, theirs, ours }: { base: JsonObject; theirs: JsonObject; ours: JsonObject },
  strategy: MergeStrategy,
  pointer: string,
): Merged {
  const names = [...new Set([theirs, ours, base].flatMap((each) => Object.keys(each)))]
  const merged = names.map((name) => {
    const ways = { base: valueOf(base, name), theirs: valueOf(theirs, name), ours: valueOf(ours, name) }
    return { name, ...mergeSettings(ways, strategy, `${pointer}/${escapeName(name)}`) }
  })
  return {
    live: present(merged.map(({ name, live }) => [name, live])),
    base: present(merged.map(({ name, base: next }) => [name, next])),
    conflicts: merged.flatMap(({ conflicts }) => conflicts),
  }
}

function present(entries: readonly (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function valueOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** A name as one step of a JSON pointer. */
export function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
