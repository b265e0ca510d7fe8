import { createHash } from 'node:crypto'
import { html, type Html } from './html.ts'
import { style } from './style.ts'
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
}

/**
 * Builds a page whose policy allows only its one script and its declared form targets. Any site may frame it, because a
 * bank does not know the addresses of the shop and of the vault's frame around it.
 */
export function bankPage({ status = 200, language, title, body, script, formTarget }: BankPageParts): BankPage {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`, "connect-src 'self'"]),
    `form-action ${formTarget === undefined ? "'self'" : new URL(formTarget).origin}`,
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
