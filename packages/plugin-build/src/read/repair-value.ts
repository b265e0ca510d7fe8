import type { JsonSchema } from '@tillwright/contract'
import { nearMiss } from './near-miss.ts'
import type { JsonPath } from './json-pointer.ts'

/** What was meant by a value that does not fit, where there is no doubt; undefined otherwise. */
export function repairValue(path: JsonPath, value: unknown, schema: JsonSchema): unknown {
  if (typeof value !== 'string') return undefined
  if (schema.type === 'boolean') return { true: true, false: false }[value.trim().toLowerCase()]
  const choices = (schema.enum ?? []).filter((choice) => typeof choice === 'string')
  if (choices.length > 0) return nearMiss(value, choices) ?? undefined
  if (path.length === 1 && path[0] === 'version') return fullVersion(value)
  if (path.at(-1) === 'path' && path[0] === 'pages' && /^[A-Za-z0-9:]/.test(value)) return `/${value}`
  const inside = value.replace(/^(?:\.\/)+/, '') // paths of files are relative to the folder without saying so
  return inside !== value && !inside.split('/').includes('..') ? inside : undefined
}

/** `v1.2` as `1.2.0`. */
function fullVersion(written: string): string | undefined {
  const [, major, minor = '0', patch = '0'] =
    /^[vV=]?\s*(0|[1-9]\d{0,8})(?:\.(0|[1-9]\d{0,8}))?(?:\.(0|[1-9]\d{0,8}))?$/.exec(written.trim()) ?? []
  return major === undefined ? undefined : `${major}.${minor}.${patch}`
}
