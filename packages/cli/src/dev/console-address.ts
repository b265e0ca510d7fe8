import type { PlatformSource } from './find-dev-platform.ts'

/**
 * Returns a function for the URL of the plugin in the console, by the folder's manifest and the platform's address at the
 * time. Before the first sign-in it returns, once, the link that makes the first member and signs them in.
 */
export function consoleAddresses(
  folder: string,
  { find, memberLink }: Pick<PlatformSource, 'find' | 'memberLink'>,
): () => Promise<string> {
  let isFirst = true
  return async () => {
    const link = isFirst ? await memberLink() : null
    isFirst = false
    if (link !== null) return link
    const { readPlugin } = await import('@tillwright/plugin-build')
    const [{ plugin }, { apiUrl }] = await Promise.all([readPlugin(folder), find()])
    return `${apiUrl}/console${plugin === null ? '' : `/plugins/${plugin.file.pluginId}`}`
  }
}
