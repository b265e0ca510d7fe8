import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sections } from './navigation.ts'

export const root = join(import.meta.dirname, '../../..')
export const PAGES = 'apps/docs/pages'
export const PICTURES = 'apps/docs/pictures'

/** A page of the site. */
export interface Page {
  /** Where it is on the site, without an extension: `security/keys`. */
  path: string
  /** The file that it is made of, relative to the repository, with `/`. */
  file: string
  markdown: string
  title: string
  /** Its first paragraph, as plain text. */
  lead: string
}

/** Files elsewhere in the repository that are pages too, where they are. */
const elsewhere: Readonly<Record<string, string>> = {
  'SECURITY.md': 'security/index',
  'GLOSSARY.md': 'reference/glossary',
  'CONTRIBUTING.md': 'contributing/index',
  'ARCHITECTURE.md': 'contributing/architecture',
  'STYLE.md': 'contributing/style',
  'operate/README.md': 'operating/index',
}

/** All pages, in the order of the navigation: the front page first. */
export function readPages(): readonly Page[] {
  const found = new Map(listFiles().map(([path, file]) => [path, read(path, file)]))
  const order = ['index', ...sections.flatMap((section) => orderOf(section.folder, [...found.keys()]))]
  const forgotten = [...found.keys()].filter((path) => !order.includes(path))
  if (forgotten.length > 0) throw new Error(`In no section of navigation.ts: ${forgotten.join(', ')}.`)
  return order.map((path) => {
    const page = found.get(path)
    if (page === undefined) throw new Error(`navigation.ts names ${path}, which has no file.`)
    return page
  })
}

/** The paths of a section's pages. */
function orderOf(folder: string, paths: readonly string[]): readonly string[] {
  const section = sections.find((each) => each.folder === folder)
  const named = (section?.pages ?? []).map((name) => `${folder}/${name}`)
  if (section?.hasMore !== true) return named
  const more = paths.filter((path) => path.startsWith(`${folder}/`) && !named.includes(path))
  return [...named, ...more.toSorted()]
}

function listFiles(): readonly (readonly [path: string, file: string])[] {
  const own = globSync('**/*.md', { cwd: join(root, PAGES) }).map((name) => name.replaceAll('\\', '/'))
  const decisions = globSync('decisions/*.md', { cwd: root }).map((name) => name.replaceAll('\\', '/'))
  return [
    ...own.map((name) => [name.slice(0, -'.md'.length), `${PAGES}/${name}`] as const),
    ...decisions.map((file) => [`why/${basename(file, '.md')}`, file] as const),
    ...Object.entries(elsewhere).map(([file, path]) => [path, file] as const),
  ]
}

function read(path: string, file: string): Page {
  const markdown = readFileSync(join(root, file), 'utf8')
  const title = /^# (.+)$/m.exec(markdown)?.[1]
  if (title === undefined) throw new Error(`${file} has no title: begin it with "# ".`)
  return { path, file, markdown, title: plain(title), lead: leadOf(markdown) }
}

/** Decisions begin with theirs. */
const DATE = /^\d{4}-\d{2}-\d{2}$/

function leadOf(markdown: string): string {
  const blocks = markdown.split(/\n\s*\n/)
  const first = blocks.find((block) => /^(?:[\w*[“"(]|`(?!``))/.test(block) && !DATE.test(block))
  return plain((first ?? '').replaceAll('\n', ' '))
}

/** Markdown's inline marks taken away. */
function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim()
}
