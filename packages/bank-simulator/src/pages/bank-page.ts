import { createHash } from 'node:crypto'
import { tokensCss } from '@tillwright/design-tokens'
import { html, type Html } from './html.ts'
import type { Language } from './language.ts'

/** The HTTP response for a page of the simulated bank. */
export interface BankPage {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** Contents of a page. */
export interface BankPageParts {
  status?: number
  language: Pick<Language, 'tag' | 'direction'>
  title: string
  body: Html
  /** The only script that the page may run. */
  script?: string
  /** The foreign origin that its form may be sent to. Other forms stay on the page's own origin. */
  formTarget?: string
  /** Whether the answer to its own form leads on to other origins: browsers hold every redirect to the form's policy. */
  leadsOn?: boolean
}

/**
 * Builds a page whose policy allows only its one script and its declared form targets. Any site may frame it, because a
 * bank does not know the addresses of the shop and of the vault's frame around it.
 */
export function bankPage(parts: BankPageParts): BankPage {
  const { status = 200, language, title, body, script, formTarget, leadsOn = false } = parts
  const onwards = leadsOn ? 'https: http:' : "'self'"
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`, "connect-src 'self'"]),
    `form-action ${formTarget === undefined ? onwards : new URL(formTarget).origin}`,
    "base-uri 'none'",
  ]
  const document = html`<!doctype html>
    <html lang="${language.tag}" dir="${language.direction}">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta name="color-scheme" content="light dark" />
      <title>${title}</title>
     `
  const scripts = script === undefined ? '' : `<script>${script}</script>\n`
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      // A cross-origin isolated page can only embed frames that send both of these headers.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
    body: `${document.text}<style>${style}</style>\n<body>\n${body.text}\n${scripts}</body>\n</html>\n`,
  }
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/**
 * Styles of the bank's pages, light and dark: one column that fits into 250 x 400 pixels without scrolling and is centred
 * in larger windows.
 */
const style = `
${tokensCss(['surface', 'ink', 'ink-soft', 'line', 'line-strong', 'accent', 'accent-ink', 'bad', 'font', 'mono', 'corner'])}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--surface); color: var(--ink);
  font: 15px/1.4 var(--font);
}
header {
  display: flex; justify-content: space-between; align-items: center; padding: 8px 14px;
  border-bottom: 1px solid var(--line);
}
header span { color: var(--ink-soft); }
header strong::before {
  content: ''; display: inline-block; width: 11px; height: 11px; margin-inline-end: 7px; border-radius: 3px;
  background: var(--accent);
}
main { width: 100%; max-width: 400px; margin: 0 auto; padding: 10px 14px; }
h1 { margin: 0 0 4px; font-size: 17px; line-height: 1.25; }
p { margin: 0 0 8px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0 12px; margin: 0 0 8px; font-size: 14px; }
dt { color: var(--ink-soft); }
dd { margin: 0; text-align: end; overflow-wrap: anywhere; }
label { display: block; margin-bottom: 3px; font-weight: 600; font-size: 14px; }
input[name="code"] {
  width: 100%; min-height: 44px; padding: 0 12px; border: 1px solid var(--line-strong); border-radius: var(--corner);
  background: transparent; color: inherit; font: 20px/1 var(--mono); letter-spacing: 0.2em;
}
input[aria-invalid="true"] { border-color: var(--bad); }
.wrong { margin: 4px 0 0; color: var(--bad); font-size: 14px; }
button {
  min-height: 44px; padding: 0 10px; border: 1px solid transparent; border-radius: var(--corner); background: transparent;
  color: inherit; font: inherit; text-decoration: underline; cursor: pointer;
}
button.main {
  width: 100%; margin-top: 8px; background: var(--accent); color: var(--accent-ink); font-weight: 600;
  text-decoration: none;
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.others { display: flex; justify-content: space-between; margin: 2px -6px 0; }
.others button { padding: 0 6px; }
details { margin-top: 2px; color: var(--ink-soft); font-size: 13px; }
summary { min-height: 24px; cursor: pointer; }
details dl { margin: 4px 0 0; font-size: 13px; }
.waiting { display: flex; align-items: center; gap: 10px; }
.waiting::before {
  content: ''; flex: none; width: 20px; height: 20px; border: 3px solid var(--line); border-top-color: var(--accent);
  border-radius: 50%; animation: turn 1s linear infinite;
}
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .waiting::before { animation: none; } }
@media (min-width: 380px) and (min-height: 420px) {
  header { padding: 14px 20px; }
  main { padding: 20px; }
  h1 { font-size: 20px; margin-bottom: 8px; }
  dl { margin-bottom: 16px; }
  button.main { margin-top: 14px; }
}
`
