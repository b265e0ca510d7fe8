import { createHash } from 'node:crypto'
import { tokensCss } from '@tillwright/design-tokens'
import { anchorOf, type Chapter } from './chapters.ts'
import { escaped } from './markup.ts'
import { script } from './page-script.ts'

const style = `${tokensCss(['canvas', 'surface', 'sunken', 'ink', 'ink-soft', 'line', 'line-strong', 'accent', 'accent-ink', 'accent-soft', 'good', 'bad', 'font', 'mono', 'corner'])}
*{box-sizing:border-box}
html{font:16px/1.5 var(--font);background:var(--canvas);color:var(--ink);scroll-padding-top:64px;-webkit-text-size-adjust:100%}
body{margin:0;overflow-wrap:anywhere}
a{color:var(--accent);border-radius:4px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
:target{outline-offset:8px}
header{position:sticky;top:0;z-index:2;display:flex;gap:8px;align-items:center;height:49px;padding:0 16px;background:var(--canvas);border-bottom:1px solid var(--line);font-size:15px;white-space:nowrap}
header a{padding:8px 4px;text-decoration:none}
header>a{font-weight:700}
header small{color:var(--ink-soft);overflow:hidden;text-overflow:ellipsis}
header nav{margin-inline-start:auto;display:flex;gap:8px}
@media(max-width:40rem){.guide{display:none}}
main{min-width:0;max-width:80rem;padding:24px 16px 96px}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 8px}
h2{font-size:1.25rem;line-height:1.3;margin:0}
main>h2{margin-top:36px}
main>pre{max-width:46rem;margin:12px 0 0;padding:12px;background:var(--sunken);border-radius:var(--corner);white-space:pre-wrap}
main>pre code{background:none}
h2 a{color:inherit;text-decoration:none}
h2 a:hover{text-decoration:underline}
h3{font-size:.875rem;margin:24px 0 4px;color:var(--ink-soft);font-weight:600}
p{margin:8px 0 0;max-width:46rem}
code,pre,textarea{font-family:var(--mono);font-size:.8125rem}
p code,li code,dd code,td code{background:var(--sunken);border-radius:4px;padding:1px 4px}
table{border-collapse:collapse;width:100%;max-width:52rem;margin:12px 0 0;font-size:.9375rem}
th,td{text-align:start;vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid var(--line)}
main ul:not(.fields){padding-inline-start:20px;margin:8px 0 0}
.contents{font-size:.875rem;padding:16px}
.contents input{width:100%;min-height:40px;padding:0 12px;border:1px solid var(--line-strong);border-radius:var(--corner);background:var(--surface);color:inherit;font:inherit}
.contents ul{list-style:none;margin:4px 0;padding:0}
.contents summary{cursor:pointer;padding:6px 8px;border-radius:4px;font-weight:600}
.contents summary:hover,.contents a:hover{background:var(--accent-soft)}
.contents a{display:block;padding:5px 8px 5px 20px;color:var(--ink-soft);text-decoration:none}
.contents [aria-current]{color:var(--accent)}
.operation,.object{padding:32px 0;border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 1200px}
section:focus{outline:0}
section:first-of-type{margin-top:24px}
.address{display:flex;flex-wrap:wrap;gap:0 8px;align-items:baseline;max-width:none}
.address b{font:600 .75rem/1.5 var(--mono);color:var(--accent)}
.address code{background:none;padding:0;color:var(--ink-soft)}
.fields{list-style:none;margin:0;padding:0;max-width:46rem}
.fields .fields{margin:8px 0 0;padding-inline-start:14px;border-inline-start:2px solid var(--line)}
.property{padding:10px 0;border-top:1px solid var(--line);font-size:.9375rem}
.property:first-child{border-top:0}
.property p{margin:2px 0 0}
.property .name{background:none;padding:0;font-weight:600}
.type{color:var(--ink-soft);font-size:.8125rem}
.required{color:var(--bad);font-size:.8125rem}
.facts{display:flex;flex-wrap:wrap;gap:2px 12px;font-size:.8125rem;color:var(--ink-soft)}
summary{cursor:pointer;min-height:24px}
.errors{margin-top:16px}
.errors dl{display:grid;grid-template-columns:auto 1fr;gap:0 16px;margin:8px 0 0;font-size:.875rem}
.errors dt{font-weight:600;padding-top:8px}
.errors dd{margin:0}
.sample,.try{margin-top:12px;border:1px solid var(--line);border-radius:var(--corner);background:var(--surface);overflow:clip}
.sample summary,.try summary{padding:6px 12px;font-size:.8125rem;font-weight:600;color:var(--ink-soft)}
.snippet{position:relative;background:var(--sunken)}
.snippet pre{margin:0;padding:12px;white-space:pre-wrap;line-height:1.5}
.copy{position:absolute;inset-block-start:6px;inset-inline-end:6px}
button{min-height:28px;padding:0 10px;border:1px solid var(--line-strong);border-radius:6px;background:var(--surface);color:var(--ink);font:inherit;font-size:.8125rem;cursor:pointer}
form{padding:0 12px 12px}
label{display:block;margin-top:8px;font-size:.8125rem;color:var(--ink-soft)}
label :is(input,textarea){display:block;width:100%;min-height:36px;padding:6px 10px;border:1px solid var(--line-strong);border-radius:6px;background:var(--canvas);color:var(--ink);font:.8125rem/1.5 var(--mono)}
form button{margin-top:12px;min-height:36px;background:var(--accent);color:var(--accent-ink);border:0;font-weight:600}
output pre{margin:12px 0 0;padding:12px;white-space:pre-wrap;background:var(--sunken);border-radius:6px}
[hidden]{display:none!important}
@media(max-width:63.99rem){.contents:not(:target){display:none}.contents{border-bottom:1px solid var(--line)}}
@media(min-width:64rem){
.shell{display:grid;grid-template-columns:17rem minmax(0,1fr)}
.contents{position:sticky;top:49px;height:calc(100vh - 49px);overflow-y:auto;border-inline-end:1px solid var(--line)}
.to-contents{display:none}
main{padding:32px 40px 96px}
}
@media(min-width:80rem){.operation{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,28rem);gap:0 40px}}
@media(max-width:30rem){header :is(span,small){display:none}}
@media print{.contents,header{display:none}.operation{content-visibility:visible}}`

/** The policy of all pages: their own script and style, and requests to the platform alone. */
export const referencePolicy = [
  "default-src 'none'",
  `script-src '${hashOf(script)}'`,
  `style-src '${hashOf(style)}'`,
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

function hashOf(inline: string): string {
  return `sha256-${createHash('sha256').update(inline).digest('base64')}`
}

/** The navigation next to every page: all operations and events. */
export interface Contents {
  chapters: readonly Chapter[]
  events: readonly string[]
  version: string
  environment: string
}

/**
 * A page of the reference.
 *
 * @param chapter The one that it shows; `null` for the first page.
 */
export function layout(
  page: { chapter: string | null; title: string; description: string; main: string },
  contents: Contents,
): string {
  const { version, environment } = contents
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)}</title>
<meta name="description" content="${escaped(page.description)}">
<link rel="icon" href="data:,">
<style>${style}</style>
<header>
<a href="/">Tillwright</a> <span>API reference</span> <small>${escaped(version)}, ${environment}</small>
<nav aria-label="Pages"><a class="to-contents" href="#contents">Contents</a> <a class="guide" href="/guide/">Documentation</a> <a href="/docs/errors">Errors</a> <a href="/openapi.json">OpenAPI</a></nav>
</header>
<div class="shell">
<nav class="contents" id="contents" aria-label="Contents" tabindex="-1">${contentsList(contents, page.chapter)}</nav>
<main>${page.main}</main>
</div>
<script>${script}</script>
</html>
`
}

function contentsList({ chapters, events }: Contents, current: string | null): string {
  const lists = chapters.map(({ name, title, operations }) => {
    const here = name === current ? '' : `/docs/${name}`
    const links =
      operations.length > 0
        ? operations.map((placed) => [anchorOf(placed), placed.operation.summary] as const)
        : events.map((type) => [type, type] as const)
    const items = links.map(([anchor, text]) => `<li><a href="${here}#${escaped(anchor)}">${escaped(text)}</a></li>`)
    return `<details${name === current ? ' open' : ''}><summary>${escaped(title)}</summary><ul><li><a href="/docs/${name}"${
      name === current ? ' aria-current="page"' : ''
    }>Overview</a></li>${items.join('')}</ul></details>`
  })
  return `<input type="search" placeholder="Search" aria-label="Search operations and events" autocomplete="off" spellcheck="false" hidden>
<ul><li><a href="/docs"${current === null ? ' aria-current="page"' : ''}>Introduction</a></li></ul>
${lists.join('\n')}`
}
