import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Eleventy, type UserConfig } from '@11ty/eleventy'
import { tokensCss } from '@tillwright/design-tokens'
import { build } from 'esbuild'
import { type Assets, documentOf } from './layout.ts'
import { servedMarkdown } from './links.ts'
import { createMarkdown, type Rendered } from './markdown.ts'
import { type Page, PAGES, PICTURES, readPages } from './pages.ts'
import { sections } from './navigation.ts'
import { otherWords } from './other-words.ts'
import { searchIndex } from './search-index.ts'

/** The index is made of what was rendered, so its name cannot follow from its content: it changes with the pages instead. */
const SEARCH = 'search'

/**
 * Builds the site.
 *
 * @param folder Absolute; what is in it is removed. The repository must be the working folder: Eleventy's are relative to it.
 */
export async function buildSite(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const pages = readPages()
  const rendered = new Map<string, Rendered>()
  const assets = await writeAssets(folder, pages)
  const site = new Eleventy(PAGES, folder, {
    configPath: null,
    quietMode: true,
    config: (config) => configure(config, { pages, rendered, assets }),
  })
  await site.init()
  await site.write()
  const byFile = new Map(pages.map((page) => [page.file, page]))
  await Promise.all([
    ...pages.map((page) => write(folder, `${page.path}.md`, servedMarkdown(page, byFile))),
    write(folder, 'llms.txt', llmsText(pages)),
    write(folder, `assets/${assets.search}`, searchIndex(pages, rendered)),
  ])
}

/** Inputs of the rendering; `rendered` is filled by it. */
interface Site {
  pages: readonly Page[]
  rendered: Map<string, Rendered>
  assets: Assets
}

function configure(config: UserConfig, { pages, rendered, assets }: Site): void {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  config.setUseGitIgnore(false)
  config.setTemplateFormats(['md'])
  config.setLibrary('md', createMarkdown(pages, rendered))
  for (const { path, file, markdown } of pages)
    if (!file.startsWith(`${PAGES}/`)) config.addTemplate(`${path}.md`, markdown)
  config.addTemplate('_includes/page.11ty.js', {
    render: ({ content, page: { filePathStem } }) => {
      const path = filePathStem.slice(1)
      const page = byPath.get(path)
      const headings = rendered.get(path)?.headings
      if (page === undefined || headings === undefined) throw new Error(`${path} is no page of the navigation.`)
      return documentOf({ page, content, headings, pages, assets })
    },
  })
  config.addGlobalData('layout', 'page.11ty.js')
  config.addGlobalData('templateEngineOverride', 'md') // braces in pages are code
  config.addGlobalData(
    'permalink',
    () =>
      ({ page }: { page: { filePathStem: string } }) =>
        `${page.filePathStem}.html`,
  )
  config.addPassthroughCopy({ [PICTURES]: 'pictures' })
}

/** Scripts and styles, under names that change with their content. */
async function writeAssets(folder: string, pages: readonly Page[]): Promise<Assets> {
  const [script, style] = await Promise.all([
    bundle('src/browser/main.ts'),
    readFile(join(import.meta.dirname, 'style.css'), 'utf8'),
  ])
  const css = tokensCss() + style
  const texts = pages.map(({ markdown }) => markdown).join('') + JSON.stringify(otherWords)
  const assets = {
    style: `site-${hashOf(css)}.css`,
    script: `site-${hashOf(script)}.js`,
    search: `${SEARCH}-${hashOf(texts + script)}.json`,
  }
  await Promise.all([write(folder, `assets/${assets.style}`, css), write(folder, `assets/${assets.script}`, script)])
  return assets
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '..', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  })
  return outputFiles[0]?.text ?? ''
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

async function write(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** Every page in one list, for programs that read: its Markdown, and its first paragraph. Source: llmstxt.org. */
function llmsText(pages: readonly Page[]): string {
  const front = pages.find(({ path }) => path === 'index')
  const lists = sections.map(({ folder, title }) => {
    const own = pages.filter(({ path }) => path.startsWith(`${folder}/`))
    const lines = own.map((page) => `- [${page.title}](${page.path}.md)${page.lead === '' ? '' : `: ${page.lead}`}`)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return `# Tillwright\n\n> ${front?.lead ?? ''}\n\n- [Front page](index.md)\n\n${lists.join('\n')}`
}
