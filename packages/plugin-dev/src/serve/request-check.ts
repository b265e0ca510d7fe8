import type { IncomingMessage } from 'node:http'

const loopback = /^(?:localhost\.?|127\.0\.0\.1|\[::1\])$/

/**
 * Whether a request names this server as its host: a foreign name that resolves here (DNS rebinding) is refused.
 *
 * @param hosts Names that the server answers to, in addition to this machine's.
 */
export function isForThisServer({ headers }: Pick<IncomingMessage, 'headers'>, hosts: readonly string[]): boolean {
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''
  return loopback.test(name) || hosts.includes(name)
}

/** Whether a request comes from a page of this very server, or from no page at all. */
export function isFromOwnPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin, host } = headers
  return origin === undefined || URL.parse(origin)?.host === host
}

/** Whether a path leads into the folder of local secrets, which holds nothing for pages but what Vite has prepared. */
export function isPrivate(target: string): boolean {
  let path = target.split(/[?#]/, 1)[0] ?? ''
  for (let round = 0; round < 3; round += 1) path = decoded(path)
  const names = path.toLowerCase().replaceAll('\\', '/').split('/')
  const at = names.indexOf('.tillwright')
  return at !== -1 && (names[at + 1] !== 'vite' || names.includes('..') || names.lastIndexOf('.tillwright') !== at)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return '/.tillwright/' // a malformed path counts as private
  }
}
