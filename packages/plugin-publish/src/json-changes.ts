import { isObject } from '@tillwright/contract/json'

/** One difference between two JSON values. Absent is `undefined`. */
export interface JsonChange {
  /** Source: RFC 6901. The empty string is the whole. */
  pointer: string
  before?: unknown
  after?: unknown
}

/** The differences between two JSON values: objects key by key, everything else as a whole. In the order of the pointers. */
export function jsonChanges(before: unknown, after: unknown, pointer = ''): JsonChange[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
    return keys.flatMap((key) => jsonChanges(before[key], after[key], `${pointer}/${escaped(key)}`))
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((item, index) => jsonChanges(before[index], item, `${pointer}/${index}`))
  }
  if (isSame(before, after)) return []
  return [{ pointer, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function isSame(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return before === after
  return before.length === after.length && jsonChanges(before, after).length === 0
}
