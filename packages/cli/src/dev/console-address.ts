/** Where the console of a platform shows the plugin in a folder. */
export interface ConsolePlace {
  folder: string
  apiUrl: string
  /** The link that makes the account's first member, of a platform that has none; `null` otherwise. */
  memberLink: string | null
}

/**
 * Returns a function for the URL of the plugin in the console, by the folder's manifest at the time. Before the first
 * sign-in it returns, once, the link that makes the first member and signs them in.
 */
export function consoleAddresses({ folder, apiUrl, memberLink }: ConsolePlace): () => Promise<string> {
  let firstLink = memberLink
  return async () => {
    const link = firstLink
    firstLink = null
    if (link !== null) return link
    const { readPlugin } = await import('@tillwright/plugin-build')
    const { plugin } = await readPlugin(folder)
    return `${apiUrl}/console${plugin === null ? '' : `/plugins/${plugin.file.pluginId}`}`
  }
}
