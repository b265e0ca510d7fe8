import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Snippet, snippetsOf } from '../../apps/docs/src/fences.ts'
import { root } from '../spawn-program.ts'

const PAGES = 'apps/docs/pages/'

/** The Markdown files of the repository, the documentation's pages among them. */
const READ = ['*.md', '{apps,decisions,operate,packages,templates}/**/*.md']
const LEFT_OUT = ['**/node_modules', '**/dist', '**/CHANGELOG.md']

/** A snippet with the page it stands in: `payments/index`, or `packages/client/README` outside of the documentation's pages. */
export interface PageSnippet extends Snippet {
  page: string
  /** `apps/docs/pages/payments/index.md:12`. */
  place: string
}

/** All snippets of the documentation, and of the files that stand beside the code. */
export function readSnippets(): readonly PageSnippet[] {
  const names = globSync(READ, { cwd: root, exclude: LEFT_OUT }).map((name) => name.replaceAll('\\', '/'))
  return names.toSorted().flatMap((file) => {
    const page = file.replace(PAGES, '').slice(0, -'.md'.length)
    return snippetsOf(readFileSync(join(root, file), 'utf8')).map((snippet) => {
      return { ...snippet, page, place: `${file}:${snippet.line}` }
    })
  })
}

/** The shell snippets that are run from their text alone. */
export function shellToRun(snippets: readonly PageSnippet[]): readonly PageSnippet[] {
  return snippets.filter(({ language, notRun, runBy }) => language === 'sh' && notRun === null && runBy === null)
}

/** The snippets that name a test of their own, which takes them from the text. */
export function snippetsRunBy(name: 'new-login' | 'newcomer' | 'point-in-time' | 'rehearsal'): readonly PageSnippet[] {
  return readSnippets().filter(({ runBy }) => runBy === name)
}
