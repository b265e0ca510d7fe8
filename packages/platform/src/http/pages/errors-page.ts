import { createHash } from 'node:crypto'
import { type ErrorCode, errorFixes, errorKinds, errorMeanings } from '@tillwright/contract'
import { tokensCss } from '@tillwright/design-tokens'

const style = `
  ${tokensCss(['canvas', 'surface', 'ink', 'ink-soft', 'line', 'line-strong', 'accent', 'accent-ink', 'accent-soft', 'font', 'mono', 'corner'])}
  html { font: 16px/1.5 var(--font) }
  * { box-sizing: border-box }
  body { margin: 0; background: var(--canvas); color: var(--ink) }
  header { display: flex; gap: 8px; align-items: center; height: 49px; padding: 0 16px; border-bottom: 1px solid var(--line); font-size: 15px }
  header a { font-weight: 700; text-decoration: none }
  header nav { margin-inline-start: auto }
  header nav a { font-weight: 400 }
  main { max-width: 52rem; margin: 0 auto; padding: 24px 16px 64px }
  h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 4px }
  a { color: var(--accent); border-radius: 4px }
  p { margin: 4px 0 0 }
  form { position: sticky; top: 0; display: flex; gap: 8px; padding: 12px 0; background: var(--canvas) }
  input { flex: 1; min-width: 0; min-height: 44px; padding: 0 12px; border: 1px solid var(--line-strong); border-radius: var(--corner); background: transparent; color: inherit; font: inherit }
  button { min-height: 44px; padding: 0 16px; border: 0; border-radius: var(--corner); background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600; cursor: pointer }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
  section { margin: 0 0 12px; padding: 12px 16px; border: 1px solid var(--line); border-radius: var(--corner); background: var(--surface); scroll-margin-top: 80px; overflow-wrap: anywhere }
  section:target { background: var(--accent-soft); border-color: var(--accent) }
  h2 { display: flex; flex-wrap: wrap; gap: 0 12px; align-items: baseline; margin: 0; font: 600 1rem/1.5 var(--mono) }
  h2 a { text-decoration: none }
  h2 a:hover { text-decoration: underline }
  small { color: var(--ink-soft); font: 400 14px/1.5 var(--font) }
  code { font: .9em var(--mono) }
  [hidden] { display: none }
`

/** Filters while the reader types, and keeps the search in the address, so that it can be passed on. */
const script = `
const field = document.querySelector('input')
const found = document.querySelector('output')
const sections = [...document.querySelectorAll('section')]
function filter() {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let count = 0
  for (const section of sections) {
    section.hidden = !words.every((word) => section.textContent.toLowerCase().includes(word))
    if (!section.hidden) count += 1
  }
  found.textContent = count + ' of ' + sections.length + ' codes'
}
field.addEventListener('input', () => {
  filter()
  const address = new URL(location.href)
  if (field.value === '') address.searchParams.delete('q')
  else address.searchParams.set('q', field.value)
  address.hash = ''
  history.replaceState(null, '', address)
})
document.querySelector('form').addEventListener('submit', (event) => event.preventDefault())
document.querySelector('button').hidden = true
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1))
  if (target === null || !target.hidden) return
  field.value = ''
  filter()
  target.scrollIntoView()
})
filter()
`

const codes = Object.keys(errorKinds) as ErrorCode[] // the keys of the table are its codes

/** The page that every error's `docUrl` points at: one anchor for each code. It can be searched, without scripts too. */
export const errorsPage = {
  /** @param search Words that a code's section has to contain. */
  html: (search: string): string => {
    const words = [...new Set(search.toLowerCase().split(/\s+/))]
    const sections = codes.map((code) => {
      const text = textOf(code)
      return { code, isFound: words.every((word) => text.includes(word)) }
    })
    return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tillwright API errors</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<header><a href="/">Tillwright</a> <span>Errors</span> <nav><a href="/guide/">Documentation</a> <a href="/docs">Reference</a></nav></header>
<main>
<h1>Errors</h1>
<p>Every response that is not a success carries one of these codes. Branch on the code; the wording of messages may change.</p>
<form method="get" role="search">
<input type="search" name="q" value="${escaped(search)}" placeholder="Search codes, causes and fixes" aria-label="Search" autocomplete="off" autocapitalize="off" spellcheck="false">
<button>Search</button>
</form>
<p><small><output>${sections.filter(({ isFound }) => isFound).length} of ${codes.length} codes</output></small></p>
${sections.map(section).join('\n')}
</main>
<script>${script}</script>
</html>
`
  },
  policy: [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
}

function hashOf(inline: string): string {
  return `sha256-${createHash('sha256').update(inline).digest('base64')}`
}

/** The text of a section, as the script in the page reads it. */
function textOf(code: ErrorCode): string {
  const { status, type } = errorKinds[code]
  return `${code} ${status} ${type} Cause: ${errorMeanings[code]} Fix: ${errorFixes[code]}`
    .toLowerCase()
    .replaceAll('`', '')
}

function section({ code, isFound }: { code: ErrorCode; isFound: boolean }): string {
  const { status, type } = errorKinds[code]
  return `<section id="${code}"${isFound ? '' : ' hidden'}>
<h2><a href="#${code}">${code}</a> <small>${status} ${type}</small></h2>
<p><b>Cause:</b> ${marked(errorMeanings[code])}</p>
<p><b>Fix:</b> ${marked(errorFixes[code])}</p>
</section>`
}

function marked(text: string): string {
  return escaped(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}
