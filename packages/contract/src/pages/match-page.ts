import type { PluginManifest } from '../resources/plugin-manifests.ts'

type Page = PluginManifest['pages'][number]

/** A page that an address leads to, with what stands in the places of its `:parameters`. */
export interface MatchedPage {
  page: Page
  params: Readonly<Record<string, string>>
}

/**
 * Finds the page of a path. Where several fit, the one with a name where the others have a parameter wins, from the left
 * on. `/` is the default page unless a page has it for its own.
 *
 * @param path Decoded; a last `/` says nothing.
 */
export function matchPage(pages: readonly Page[], path: string): MatchedPage | null {
  const names = namesOf(path)
  const [best] = pages
    .flatMap((page) => {
      const params = paramsOf(namesOf(page.path), names)
      return params === null ? [] : [{ page, params }]
    })
    .toSorted((a, b) => (shapeOf(a.page) < shapeOf(b.page) ? -1 : 1))
  if (best !== undefined) return best
  const first = pages.find(({ isDefault }) => isDefault === true)
  return names.length === 0 && first !== undefined ? { page: first, params: {} } : null
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '')
}

function paramsOf(pattern: readonly string[], names: readonly string[]): Record<string, string> | null {
  if (pattern.length !== names.length) return null
  const params: [string, string][] = []
  for (const [index, part] of pattern.entries()) {
    const name = names[index] ?? ''
    if (isParameter(part)) params.push([part.slice(1), name])
    else if (part.normalize('NFC') !== name) return null
  }
  return Object.fromEntries(params)
}

function isParameter(part: string): boolean {
  return part.startsWith(':') && part.length > 1
}

/** Sorts before another where the first difference is a name against a parameter. */
function shapeOf({ path }: Page): string {
  return namesOf(path)
    .map((part) => (isParameter(part) ? '1' : '0'))
    .join('')
}
