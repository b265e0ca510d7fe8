import MiniSearch from 'minisearch'
import type { Rendered } from './markdown.ts'
import type { Page } from './pages.ts'
import { type Part, searchOptions } from './search-options.ts'

/** Of the longest pages, which are tables, this much of each part is indexed. */
const TEXT_MAX = 4_000

/** The index over all parts of all pages, as the browser reads it. */
export function searchIndex(pages: readonly Page[], rendered: ReadonlyMap<string, Rendered>): string {
  const search = new MiniSearch<Part>(searchOptions)
  search.addAll(pages.flatMap((page) => partsOf(page, rendered.get(page.path))))
  return JSON.stringify(search)
}

function partsOf(page: Page, notes: Rendered | undefined): Part[] {
  if (notes === undefined) throw new Error(`${page.path} was not rendered.`)
  const names = new Map(notes.headings.map(({ id, text }) => [id, text]))
  return Array.from(notes.texts, ([id, texts]) => ({
    id: id === '' ? `${page.path}.html` : `${page.path}.html#${id}`,
    page: page.title,
    part: names.get(id) ?? '',
    text: texts.join(' ').slice(0, TEXT_MAX),
    section: page.path.split('/')[0] ?? '',
  }))
}
