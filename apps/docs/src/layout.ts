import { posix } from 'node:path'
import { sections } from './navigation.ts'
import { escapeHtml, type Heading } from './markdown.ts'
import type { Page } from './pages.ts'

/** The files that every page loads, by their names in `assets/`. */
export interface Assets {
  style: string
  script: string
  /** The index that the search loads at the first keystroke. */
  search: string
}

/** A page with what stands around it. */
export interface Shown {
  page: Page
  /** Its content as HTML. */
  content: string
  headings: readonly Heading[]
  /** All pages in order. */
  pages: readonly Page[]
  assets: Assets
}

/** The whole document of a page. It has no inline style or script, and every address in it is relative. */
export function documentOf(shown: Shown): string {
  const { page, content, assets } = shown
  const to = linker(page)
  const title = page.path === 'index' ? 'Tillwright documentation' : `${page.title} - Tillwright documentation`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(described(page.lead))}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to(`assets/${assets.style}`)}">
<link rel="alternate" type="text/markdown" href="${to(`${page.path}.md`)}">
<script type="module" src="${to(`assets/${assets.script}`)}"></script>
</head>
<body data-root="${to('')}" data-search="${to(`assets/${assets.search}`)}">
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="${to('index.html')}">Tillwright <span>Docs</span></a>
<button class="menu" type="button" popovertarget="navigation">Menu</button>
<search hidden>
<input type="search" role="combobox" placeholder="Search" aria-label="Search the documentation" aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false">
<div id="found" role="listbox" aria-label="Pages found" hidden></div>
<output class="unseen"></output>
</search>
</header>
<div class="frame">
${navigation(shown, to)}
<main id="content" tabindex="-1">
<article>
${content}
</article>
${ending(shown, to)}
</main>
${contents(shown)}
</div>
</body>
</html>
`
}

type Linker = (path: string) => string

function linker({ path }: Page): Linker {
  const up = posix.relative(posix.dirname(path), '.')
  return (target) => (target === '' ? up || '.' : posix.relative(posix.dirname(path), target))
}

/** All sections; the pages of the one that is read stand open. */
function navigation({ page, pages }: Shown, to: Linker): string {
  const list = sections.map(({ folder, title }) => {
    const own = pages.filter(({ path }) => path.startsWith(`${folder}/`))
    const isOpen = page.path.startsWith(`${folder}/`) || (page.path === 'index' && folder === 'start')
    const links = own.map((each) => {
      const current = each === page ? ' aria-current="page"' : ''
      const name = each.path.endsWith('/index') && folder !== 'start' ? 'Overview' : shortTitle(each)
      return `<li><a href="${to(`${each.path}.html`)}"${current}>${escapeHtml(name)}</a></li>`
    })
    if (folder === 'why' && !isOpen) links.splice(1)
    return `<details${isOpen ? ' open' : ''}><summary>${title}</summary><ul>${links.join('')}</ul></details>`
  })
  return `<nav id="navigation" popover aria-label="All pages">${list.join('\n')}</nav>`
}

/** Decisions carry their number; it is in the address. */
function shortTitle({ title }: Page): string {
  return title.replace(/^(?:Decision )?\d+[.:] /, '')
}

function contents({ headings }: Shown): string {
  const shown = headings.filter(({ level }) => level === 2)
  if (shown.length < 2) return ''
  const links = shown.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`
}

function ending({ page, pages }: Shown, to: Linker): string {
  const at = pages.indexOf(page)
  const link = (each: Page | undefined, rel: string, name: string) =>
    each === undefined
      ? ''
      : `<a rel="${rel}" href="${to(`${each.path}.html`)}"><small>${name}</small>${escapeHtml(each.title)}</a>`
  return `<footer>
<nav aria-label="Neighbouring pages">${link(pages[at - 1], 'prev', 'Before')}${link(pages[at + 1], 'next', 'Next')}</nav>
<p><a href="${to(`${page.path}.md`)}">This page as Markdown</a> <a href="${to('llms.txt')}">llms.txt</a></p>
</footer>`
}

/** At most 200 characters, up to the end of a word: what a list of results shows. */
function described(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199).replace(/\s+\S*$/, '')}…`
}
