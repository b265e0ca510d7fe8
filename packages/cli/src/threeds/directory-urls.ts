import { choices, type ListedThreedsProvider } from '@tillwright/platform'
import { CommandFailed } from '../terminal/fail-with.ts'

type Urls = Pick<ListedThreedsProvider, 'url' | 'networkUrls'>

/**
 * The directory servers that options name: one for all networks, or for the one before it (`visa=https://...`).
 *
 * @throws {CommandFailed} For a network that there is not, and for one that is named twice.
 */
export function directoryUrls(texts: readonly string[]): Urls {
  const urls: Urls = { url: null, networkUrls: {} }
  for (const text of texts) {
    const [, network, own] = /^([a-z_]+)=(.*)$/.exec(text) ?? []
    if (network === undefined) {
      if (urls.url !== null) throw new CommandFailed('--directory-url: there is one for all networks; name it once.')
      urls.url = text
      continue
    }
    const known = choices.networks.find((name) => name === network)
    if (known === undefined) {
      throw new CommandFailed(`--directory-url: '${network}' must be one of: ${choices.networks.join(', ')}.`)
    }
    if (urls.networkUrls[known] !== undefined) throw new CommandFailed(`--directory-url: '${known}' is named twice.`)
    urls.networkUrls[known] = own ?? ''
  }
  return urls
}
