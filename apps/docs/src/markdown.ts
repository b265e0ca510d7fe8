import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import createMarkdownIt, { type Env, type MarkdownIt, type Token } from 'markdown-it'
import { fenceOf, reasonsNotToRun } from './fences.ts'
import { addressOf, resolveLink } from './links.ts'
import { type Page, PICTURES, root } from './pages.ts'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import ini from 'highlight.js/lib/languages/ini'
import json from 'highlight.js/lib/languages/json'
import nginx from 'highlight.js/lib/languages/nginx'
import plaintext from 'highlight.js/lib/languages/plaintext'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

/** A heading below the page's title. */
export interface Heading {
  id: string
  text: string
  level: number
}

/** Headings and texts of a rendered page, for its contents and the search. */
export interface Rendered {
  headings: Heading[]
  /** The text of each part, by the id of its heading; '' is what stands before the first. */
  texts: Map<string, string[]>
}

/**
 * The renderer of all pages: links between files become links between pages, headings get anchors, code gets colours.
 *
 * @param rendered Is filled with what was found in each page.
 */
export function createMarkdown(pages: readonly Page[], rendered: Map<string, Rendered>): MarkdownIt {
  const md = createMarkdownIt({ html: true })
  const byFile = new Map(pages.map((page) => [page.file, page]))
  const byPath = new Map(pages.map((page) => [page.path, page]))
  md.core.ruler.push('site', (state) => {
    const page = byPath.get(pathOf(state.env))
    if (page === undefined) throw new Error('A page is rendered that was not read.')
    const notes: Rendered = { headings: [], texts: new Map() }
    rendered.set(page.path, notes)
    noteHeadings(state.tokens, notes)
    for (const token of state.tokens) alignByClass(token)
    leaveOutEmptyHeaders(state.tokens)
    for (const token of state.tokens.flatMap((each) => [each, ...(each.children ?? [])]))
      pointLinks(token, page, byFile)
  })
  md.renderer.rules['fence'] = (tokens, at) => renderFence(tokens[at]?.info ?? '', tokens[at]?.content ?? '')
  md.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'
  md.renderer.rules['table_close'] = () => '</table></div>\n'
  return md
}

/** The path of the page that Eleventy renders: it passes the page's data along with the text. */
function pathOf({ page }: Env): string {
  const isNamed = typeof page === 'object' && page !== null && 'filePathStem' in page
  return isNamed ? String(page.filePathStem).replace(/^\//, '') : ''
}

/** Gives headings the anchors that GitHub gives them, and collects the text below each. */
function noteHeadings(tokens: Token[], { headings, texts }: Rendered): void {
  const taken = new Map<string, number>()
  let part: string[] = []
  texts.set('', part)
  for (const [at, token] of tokens.entries()) {
    const level = token.type === 'heading_open' ? Number(token.tag.slice(1)) : 0
    const before = tokens[at - 1]
    if (level > 0) {
      const text = textOf(tokens[at + 1])
      const id = uniqueSlug(text, taken)
      token.attrSet('id', id)
      if (level > 1) {
        headings.push({ id, text, level })
        texts.set(id, (part = []))
      }
    } else if (token.type === 'inline' && before?.type !== 'heading_open') part.push(textOf(token))
    else if (token.type === 'fence') part.push(token.content)
  }
}

function textOf(token: Token | undefined): string {
  const parts = (token?.children ?? []).map((each) => (each.type === 'softbreak' ? ' ' : each.content))
  return parts.join('').replaceAll(/<[^>]*>/g, '')
}

function uniqueSlug(text: string, taken: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  const count = taken.get(slug) ?? 0
  taken.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}

/** The pages' policy allows no style attributes. */
function alignByClass(token: Token): void {
  const [, side] = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? '')) ?? []
  if (side !== undefined) token.attrs = [['class', side]]
}

/** A header without a word would be read out as one: its cell becomes a plain one, and a row of them is left out. */
function leaveOutEmptyHeaders(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'thead_open') {
      const end = tokens.findIndex((each, index) => index > at && each.type === 'thead_close')
      const head = tokens.slice(at, end + 1)
      if (head.every(({ content }) => content === '')) for (const each of head) each.hidden = true
    }
    const [content, close] = [tokens[at + 1], tokens[at + 2]]
    if (token.type !== 'th_open' || content?.content !== '' || close === undefined) continue
    token.tag = 'td'
    close.tag = 'td'
  }
}

function pointLinks(token: Token, page: Page, pages: ReadonlyMap<string, Page>): void {
  if (token.type === 'link_open') {
    const href = String(token.attrGet('href') ?? '')
    const target = resolveLink(href, page, pages)
    if (target.kind === 'source') token.attrs = [['data-source', href]]
    else token.attrSet('href', addressOf(target, page, '.html') ?? href)
  }
  if (token.type === 'image') {
    const src = String(token.attrGet('src') ?? '')
    for (const [name, value] of pictureAttributes(src, page, pages)) token.attrSet(name, value)
  }
  if (token.type !== 'html_block' && token.type !== 'html_inline') return
  token.content = token.content.replaceAll(/\b(src|srcset)="([^"]+)"/g, (_whole, name: string, src: string) => {
    const attributes = pictureAttributes(src, page, pages)
    const address = attributes[0]?.[1] ?? src
    if (name === 'srcset') return `srcset="${address}"`
    return attributes.map(([key, value]) => `${key}="${value}"`).join(' ')
  })
}

/** Its size keeps its place free while it loads. */
function pictureAttributes(src: string, page: Page, pages: ReadonlyMap<string, Page>): [name: string, value: string][] {
  const target = resolveLink(src, page, pages)
  const address = addressOf(target, page, '.html')
  if (target.kind !== 'picture' || address === null)
    throw new Error(`${page.file} shows ${src}, which is no picture of ours.`)
  const bytes = readFileSync(join(root, PICTURES, target.name))
  return [
    ['src', address],
    ['width', String(bytes.readUInt32BE(16))], // Source: PNG, "IHDR Image header"
    ['height', String(bytes.readUInt32BE(20))],
    ['loading', 'lazy'],
  ]
}

function renderFence(info: string, code: string): string {
  const { language, title, notRun } = fenceOf(info)
  const caption = [
    ...(title === null ? [] : [`<span>${escapeHtml(title)}</span>`]),
    ...(notRun === null
      ? []
      : [`<span class="not-run">Not run by our tests: ${escapeHtml(reasonsNotToRun[notRun])}</span>`]),
  ]
  const head = caption.length === 0 ? '' : `<figcaption>${caption.join('')}</figcaption>`
  return `<figure class="code">${head}<pre tabindex="0"><code>${highlight(code, language)}</code></pre></figure>\n`
}

/** Text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const languages = { bash, css, ini, json, nginx, plaintext, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

/** Names of fences that are not those of highlight.js. */
const names: Readonly<Record<string, keyof typeof languages>> = {
  env: 'bash',
  html: 'xml',
  js: 'typescript',
  jsonc: 'json',
  jsx: 'typescript',
  sh: 'bash',
  svelte: 'xml',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
}

/** Code as HTML, coloured by classes: the pages' policy allows no style attributes. */
function highlight(code: string, language: string): string {
  const name = names[language] ?? language
  return hljs.highlight(code, { language: name in languages ? name : 'plaintext' }).value
}
