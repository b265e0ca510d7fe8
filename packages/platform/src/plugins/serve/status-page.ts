import { hash } from 'node:crypto'
import { pageHeaders } from '@tillwright/contract'
import { tokensCss } from '@tillwright/design-tokens'

/** The response of a plugin's host. `body` is `null` where there is none. */
export interface PageAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: Uint8Array | string | null
}

/** Why there is no page to show. */
export type NoPage =
  | 'unreadable'
  | 'not_found'
  | 'method'
  | 'removed'
  | 'taken_down'
  | 'offline'
  | 'busy'
  | 'unavailable'
  | 'lost'

const texts: Readonly<Record<NoPage, { status: number; title: string; text: string }>> = {
  unreadable: {
    status: 400,
    title: 'This address cannot be read',
    text: 'Check it for characters that do not belong there.',
  },
  not_found: {
    status: 404,
    title: 'There is no page here',
    text: 'The address may be misspelt, or the page has moved.',
  },
  method: { status: 405, title: 'Pages can only be read', text: 'Send GET or HEAD to this address.' },
  busy: {
    status: 429,
    title: 'That was a little fast',
    text: 'Many pages were asked for at once. Wait a moment, then load this one again.',
  },
  unavailable: {
    status: 503,
    title: 'This page cannot be shown right now',
    text: 'It is still there. Wait a moment, then load it again.',
  },
  lost: {
    status: 500,
    title: 'A file of this page is missing',
    text: 'The address is right, but what belongs here is gone from the store. Its operator is told; come back later.',
  },
  removed: { status: 410, title: 'This page was taken down', text: 'Its publisher has removed it.' },
  offline: { status: 410, title: 'This page is offline', text: 'The shop has taken it offline.' },
  taken_down: { status: 410, title: 'This page was taken down', text: 'Whoever runs this service has taken it down.' },
}

const STYLE = `
  ${tokensCss(['canvas', 'ink', 'ink-soft', 'font'])}
  body {
    align-items: center; background: var(--canvas); color: var(--ink); display: flex; font: 1rem/1.5 var(--font);
    justify-content: center; margin: 0; min-height: 100svh; text-align: center
  }
  main { max-width: 32rem; padding: 2rem }
  p { margin: 0; color: var(--ink-soft); text-wrap: balance }
  .status { font-variant-numeric: tabular-nums; letter-spacing: .08em }
  h1 { font-size: clamp(1.5rem, 5vw, 2.25rem); line-height: 1.2; margin: .5rem 0 .75rem; text-wrap: balance }
`

const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'self'`

/**
 * Thrown for a file that is on record and whose bytes are not in the store: an operator's matter, and no address that never
 * existed.
 */
export class BytesMissing extends Error {
  override readonly name = 'BytesMissing'
  readonly sha256: string

  constructor(sha256: string) {
    super(
      `The bytes of a deployed file are missing from the store of files: sha256 ${sha256}. Restore them from a backup of the store, or deploy the plugin again from the folder that has the file.`,
    )
    this.sha256 = sha256
  }
}

/**
 * A plain page that says why there is none, and nothing of what is behind the host.
 *
 * @param retryAfterS When to come again, where that helps.
 */
export function statusPage(why: NoPage, retryAfterS = 1): PageAnswer {
  const { status, title, text } = texts[why]
  return {
    status,
    headers: {
      ...pageHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': POLICY,
      ...(why === 'method' && { Allow: 'GET, HEAD' }),
      ...((status === 429 || status === 503) && { 'Retry-After': String(retryAfterS) }),
    },
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
<main>
  <p class="status">${status}</p>
  <h1>${title}</h1>
  <p>${text}</p>
</main>
</html>
`,
  }
}
