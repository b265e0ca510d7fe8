import { createHash } from 'node:crypto'
import { html, type Html } from './html.ts'
import { style } from './style.ts'
import type { Language } from './language.ts'

/** A page of the simulated bank, to be answered. */
export interface BankPage {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** What a page is made of. */
export interface BankPageParts {
  status?: number
  language: Pick<Language, 'tag' | 'direction'>
  title: string
  body: Html
  /** The one script that the page may run. */
  script?: string
  /** The origin outside that its form is sent to; its own forms go to its own. */
  formTarget?: string
}

/**
 * A page that runs its one script, sends its forms where it says, and nothing else. A shop's page and the vault's frame
 * are around it, whose addresses no bank knows: so anybody may frame it.
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
      // A page that isolates itself holds frames of another origin only when they send both of these.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
    body: `${document.text}<style>${style}</style>\n<body>\n${body.text}\n${scripts}</body>\n</html>\n`,
  }
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
