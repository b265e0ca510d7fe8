import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type Page, PICTURES, root } from './pages.ts'

/** Resolved destination of a link. */
export type Target =
  | { kind: 'page'; path: string; hash: string }
  | { kind: 'picture'; name: string }
  | { kind: 'kept' }
  /** A file of the repository that is no page: shown without a link. */
  | { kind: 'source' }

/**
 * Finds what a link leads to.
 *
 * @param pages By file.
 * @throws If it names a file that does not exist.
 */
export function resolveLink(href: string, from: Page, pages: ReadonlyMap<string, Page>): Target {
  if (/^(?:[a-z]+:|\/|#)/.test(href)) return { kind: 'kept' }
  const [path = '', hash = ''] = href.split('#')
  const file = posix.normalize(posix.join(posix.dirname(from.file), path)).replace(/\/$/, '')
  const page = pages.get(file) ?? pages.get(indexOf(file))
  if (page !== undefined) return { kind: 'page', path: page.path, hash: hash === '' ? '' : `#${hash}` }
  if (file.startsWith(`${PICTURES}/`) && existsSync(join(root, file)))
    return { kind: 'picture', name: file.slice(PICTURES.length + 1) }
  if (!existsSync(join(root, file))) throw new Error(`${from.file} links to ${href}, which does not exist.`)
  return { kind: 'source' }
}

/** Folders of the repository that have a page which lists what is in them. */
function indexOf(folder: string): string {
  return folder === 'decisions' ? 'apps/docs/pages/why/index.md' : `${folder}/index.md`
}

/** The address of a link from one page to another, or to a picture: relative, so that the site works at any address. */
export function addressOf(target: Target, from: Page, extension: '.html' | '.md'): string | null {
  const here = posix.dirname(from.path)
  if (target.kind === 'page') return posix.relative(here, target.path) + extension + target.hash
  if (target.kind === 'picture') return posix.relative(here, `pictures/${target.name}`)
  return null
}

/** The Markdown that is served: its links lead to the Markdown of other pages. */
export function servedMarkdown(page: Page, pages: ReadonlyMap<string, Page>): string {
  const parts = page.markdown.split(/^( *```[\s\S]*?^ *```$)/m) // every second one is code
  const pointed = parts.map((part, at) => (at % 2 === 1 ? part : pointLinks(part, page, pages)))
  return pointed.join('')
}

function pointLinks(text: string, page: Page, pages: ReadonlyMap<string, Page>): string {
  return text.replaceAll(/(\]\(|(?:src|srcset)=")([^)"\s]+)(?=[)"])/g, (whole, opening: string, href: string) => {
    const address = addressOf(resolveLink(href, page, pages), page, '.md')
    return address === null ? whole : opening + address
  })
}
