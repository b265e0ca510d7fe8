import { createHash } from 'node:crypto'
import type { AcsPage } from './acs-page.ts'
import { html, type Html } from './html.ts'
import { timelineStyle } from './timeline-style.ts'

const hash = createHash('sha256').update(timelineStyle).digest('base64')

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const

/** A page for whoever looks into authentications: it runs nothing, loads nothing and stands in no other page. */
export function timelineDocument(title: string, body: Html): AcsPage {
  const document = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
     `
  return {
    status: 200,
    headers,
    html: `${document.text}<style>${timelineStyle}</style>\n<body>\n${body.text}\n</body>\n</html>\n`,
  }
}
