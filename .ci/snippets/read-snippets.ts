import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Snippet, snippetsOf } from '../../apps/docs/src/fences.ts'
import { root } from '../spawn-program.ts'

const PAGES = 'apps/docs/pages'

/** A snippet with the page it stands in: `payments/index`. */
export interface PageSnippet extends Snippet {
  page: string
  /** `apps/docs/pages/payments/index.md:12`. */
  place: string
}

/** All snippets of the documentation. */
export function readSnippets(): readonly PageSnippet[] {
  const names = globSync('**/*.md', { cwd: join(root, PAGES) }).toSorted()
  return names.flatMap((name) => {
    const file = `${PAGES}/${name.replaceAll('\\', '/')}`
    const snippets = snippetsOf(readFileSync(join(root, file), 'utf8'))
    const page = file.slice(PAGES.length + 1, -'.md'.length)
    return snippets.map((snippet) => ({ ...snippet, page, place: `${file}:${snippet.line}` }))
  })
}
