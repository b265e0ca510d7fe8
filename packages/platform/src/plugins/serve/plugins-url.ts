/**
 * Where plugins are when nobody says, in `local`: `plugins.localhost`, which every browser takes for this machine (RFC 6761
 * section 6.3), and whose pages cannot set cookies for `localhost`.
 */
export function pluginsUrlOf(apiUrl: string): string {
  const { protocol, port } = new URL(apiUrl)
  return `${protocol}//plugins.localhost${port === '' ? '' : `:${port}`}`
}
