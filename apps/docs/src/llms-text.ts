import { sections } from './navigation.ts'
import type { Page } from './pages.ts'

/** Every page in one list, for programs that read: its Markdown, and its first paragraph. Source: llmstxt.org. */
export function llmsText(pages: readonly Page[]): string {
  const front = pages.find(({ path }) => path === 'index')
  const lists = sections.map(({ folder, title }) => {
    const own = pages.filter(({ path }) => path.startsWith(`${folder}/`))
    const lines = own.map((page) => `- [${page.title}](${page.path}.md)${page.lead === '' ? '' : `: ${page.lead}`}`)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return `# Tillwright\n\n> ${front?.lead ?? ''}\n\n- [Front page](index.md)\n\n${lists.join('\n')}`
}
