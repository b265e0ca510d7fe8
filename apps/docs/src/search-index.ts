import MiniSearch from 'minisearch'
import type { Rendered } from './markdown.ts'
import { otherWords } from './other-words.ts'
import type { Page } from './pages.ts'
import { type Part, searchOptions } from './search-options.ts'

/** Of the longest pages, which are tables, this much of each part is indexed. */
const TEXT_MAX = 4_000

/**
 * The index over all parts of all pages, as the browser reads it.
 *
 * @throws {Error} When `otherWords` names a part that no page has.
 */
export function searchIndex(pages: readonly Page[], rendered: ReadonlyMap<string, Rendered>): string {
  const search = new MiniSearch<Part>(searchOptions)
  search.addAll(pages.flatMap((page) => partsOf(page, rendered.get(page.path))))
  const nowhere = Object.keys(otherWords).filter((place) => !search.has(addressOfPart(place)))
  if (nowhere.length > 0) throw new Error(`No page has these parts of other-words.ts: ${nowhere.join(', ')}.`)
  return JSON.stringify(search)
}

function partsOf(page: Page, notes: Rendered | undefined): Part[] {
  if (notes === undefined) throw new Error(`${page.path} was not rendered.`)
  const names = new Map(notes.headings.map(({ id, text }) => [id, text]))
  return Array.from(notes.texts, ([id, texts]) => {
    const place = id === '' ? page.path : `${page.path}#${id}`
    return {
      id: addressOfPart(place),
      page: page.title,
      part: names.get(id) ?? '',
      text: texts.join(' ').slice(0, TEXT_MAX),
      also: (otherWords[place] ?? []).join(', '),
      section: page.path.split('/')[0] ?? '',
    }
  })
}

/** Where a part is on the site: `security/keys.html#purge-cards` of `security/keys#purge-cards`. */
export function addressOfPart(place: string): string {
  return place.replace(/#|$/, (end) => `.html${end}`)
}
