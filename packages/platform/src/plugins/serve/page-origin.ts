/** The origin of a plugin's host or domain: the scheme and port of the plugins' own. In `local` every host is on the platform's port. */
export function pageOrigin(hostname: string, pluginsUrl: string): string {
  const { protocol, port } = new URL(pluginsUrl)
  return `${protocol}//${hostname}${port === '' ? '' : `:${port}`}`
}
