import { isObject } from '@tillwright/contract/json'
import type { Settings } from './live-settings.ts'

/** Settings with a JSON Merge Patch applied: `null` takes a name away, objects go name by name. Source: RFC 7396. */
export function mergePatch(target: unknown, patch: Settings): Settings {
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(merged.get(name), value) : value)
  }
  return Object.fromEntries(merged)
}
