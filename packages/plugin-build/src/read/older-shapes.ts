import type { Finding } from './finding.ts'
import { atValue, type JsonDocument } from './json-document.ts'
import { spoken, type JsonPath } from './json-pointer.ts'
import { listOf, objectOf } from './plain.ts'

/** What the modes of older plugins have become. */
export const olderModes: Readonly<Record<string, 'direct-mode' | 'spa-mode'>> = {
  'iframe-bridge': 'spa-mode',
  'iframe-mode': 'spa-mode',
  'proxy-mode': 'direct-mode',
}

/** An error for every part of the file that was right once, and that an import brings up to date. */
export function olderShapes(document: JsonDocument): Finding[] {
  return olderPaths(document.value).map(({ path, was }) =>
    atValue(document, path, {
      code: 'older-shape',
      rule: `${spoken(path)} is ${was}, as older plugins have it.`,
      fix: 'Run `tillwright import`, which brings the plugin up to date and tells each change.',
    }),
  )
}

/** A part of an older file. */
export interface OlderPart {
  path: JsonPath
  /** What it is, as a part of a sentence. */
  was: string
}

/** Where a file has a shape of older plugins. */
export function olderPaths(value: unknown): OlderPart[] {
  const { mode, pages } = objectOf(value)
  return [
    ...(typeof mode === 'string' && Object.hasOwn(olderModes, mode) ? [{ path: ['mode'], was: `"${mode}"` }] : []),
    ...listOf(pages).flatMap((page, index) => inPage(page, ['pages', index])),
  ]
}

function inPage(page: unknown, path: JsonPath): OlderPart[] {
  return listOf(objectOf(page)['features']).flatMap((feature, index) => {
    const inner = [...path, 'features', index]
    if (typeof feature === 'string') return [{ path: inner, was: 'a feature written as text' }]
    return listOf(objectOf(feature)['requirements']).flatMap((one, number) =>
      inRequirement(one, [...inner, 'requirements', number]),
    )
  })
}

function inRequirement(requirement: unknown, path: JsonPath): OlderPart[] {
  if (typeof requirement === 'string') return [{ path, was: 'a requirement written as text' }]
  const { from, params } = objectOf(requirement)
  if (from === undefined && params === undefined) return []
  return [{ path, was: `a requirement with "${from === undefined ? 'params' : 'from'}"` }]
}
