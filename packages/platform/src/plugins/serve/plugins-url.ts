import { isIP } from 'node:net'

/**
 * Where plugins are when nobody says: `plugins.` in front of the API's host. An address of numbers has no names under
 * it; there it is `plugins.localhost`, which every browser takes for this machine (RFC 6761 section 6.3).
 */
export function pluginsUrlOf(apiUrl: string): string {
  const { protocol, hostname, port } = new URL(apiUrl)
  const host = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? `plugins.${hostname}` : 'plugins.localhost'
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}
