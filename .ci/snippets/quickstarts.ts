import { type PageSnippet, readSnippets } from './read-snippets.ts'

/** A project that a page of the documentation consists of. */
interface Quickstart {
  page: string
  /** A page whose files it takes as they are. */
  takes?: { page: string; files: readonly string[] }
}

const payments = { page: 'start/plain-page', files: ['payments.ts'] } as const

/** The projects of the documentation: each file of theirs is a snippet with a title, and stands there alone. */
export const quickstarts = {
  'plain page': { page: 'start/plain-page' },
  'Vite + React': { page: 'start/react', takes: payments },
  Vue: { page: 'start/vue', takes: payments },
  Svelte: { page: 'start/svelte', takes: payments },
  Angular: { page: 'start/angular', takes: payments },
  'Next.js': { page: 'start/nextjs' },
} as const satisfies Record<string, Quickstart>
export type QuickstartName = keyof typeof quickstarts

/** The files of a page's project that stand on another page. */
export function takenSnippets(page: string, snippets: readonly PageSnippet[]): readonly PageSnippet[] {
  const found: Quickstart | undefined = Object.values(quickstarts).find((each) => each.page === page)
  const { takes } = found ?? {}
  return snippets.filter((each) => each.page === takes?.page && takes.files.includes(each.title ?? ''))
}

/**
 * Assembles a project from the text of its page. What `npm install` names in the page is added to its `package.json`.
 *
 * @returns The texts by the files' names.
 */
export function quickstartFiles(name: QuickstartName): Readonly<Record<string, string>> {
  const snippets = readSnippets()
  const { page } = quickstarts[name]
  const own = snippets.filter((each) => each.page === page)
  const named = [...own, ...takenSnippets(page, snippets)].filter(({ title }) => title !== null)
  const files = Object.fromEntries(named.map(({ title, code }) => [title ?? '', code]))
  return { ...files, 'package.json': manifestOf(files['package.json'] ?? '{}', own) }
}

function manifestOf(text: string, snippets: readonly PageSnippet[]): string {
  const manifest: { dependencies?: Record<string, string> } = JSON.parse(text)
  const lines = snippets.filter(({ language }) => language === 'sh').flatMap(({ code }) => code.split('\n'))
  const names = lines.flatMap((line) => /^npm install (.+)$/.exec(line)?.[1]?.split(' ') ?? [])
  const dependencies = { ...manifest.dependencies, ...Object.fromEntries(names.map((name) => [name, 'latest'])) }
  return JSON.stringify({ ...manifest, dependencies }, null, 2)
}
