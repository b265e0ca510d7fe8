import { isIP } from 'node:net'
import { z } from 'zod'
import { type Environment, setting, sharesCookies, wrongSetting } from './runtime/index.ts'

/** Where a platform is reached. */
export interface OriginsConfig {
  /** Public URLs of the two origins; `undefined` in `local`, where host and port are used. */
  apiUrl: string | undefined
  vaultUrl: string | undefined
  /** The origin under whose host every deployment of a plugin has one; `undefined` for `plugins.localhost`, in `local`. */
  pluginsUrl: string | undefined
}

const fallback = 'required outside `local`'

export const originVariables = {
  TILLWRIGHT_API_URL: setting(z.url().optional(), {
    doc: 'The `https://` address at which callers reach the API.',
    fallback,
  }),
  TILLWRIGHT_VAULT_URL: setting(z.url().optional(), {
    doc: "The `https://` address of the vault's origin, which keeps cards apart from everything else.",
    fallback,
  }),
  TILLWRIGHT_PLUGINS_URL: setting(z.url().optional(), {
    doc: 'The `https://` address below which each deployment of a plugin has an origin, on a registrable domain of its own. See [plugins](plugins.md).',
    fallback,
  }),
}

export function originSettings(set: z.output<z.ZodObject<typeof originVariables>>): OriginsConfig {
  return {
    apiUrl: set.TILLWRIGHT_API_URL,
    vaultUrl: set.TILLWRIGHT_VAULT_URL,
    pluginsUrl: set.TILLWRIGHT_PLUGINS_URL,
  }
}

interface Origins extends OriginsConfig {
  environment: Environment
  host: string
}

export function checkPluginsUrl({ pluginsUrl, environment }: Origins): void {
  if (pluginsUrl === undefined) return
  const url = new URL(pluginsUrl)
  const protocols = environment === 'local' ? ['http:', 'https:'] : ['https:']
  const isOrigin = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  const isName = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 // an address of numbers has no names under it
  if (protocols.includes(url.protocol) && isOrigin && isName) return
  throw wrongSetting(
    'TILLWRIGHT_PLUGINS_URL',
    'must be an https:// address of a host name alone, such as "https://plugins.example.com"; "local" may use http://.',
  )
}

export function checkPublicUrl(
  name: string,
  { url, environment }: { url: string | undefined; environment: Environment },
): void {
  if (environment === 'local' || url?.startsWith('https://') === true) return
  throw wrongSetting(name, `must be the https:// address that callers use.`)
}

export function checkOriginsApart({ environment, apiUrl, vaultUrl }: Origins): void {
  if (environment === 'local' || apiUrl === undefined || vaultUrl === undefined) return
  if (new URL(apiUrl).origin !== new URL(vaultUrl).origin) return
  throw wrongSetting(
    'TILLWRIGHT_VAULT_URL',
    'must be another origin than TILLWRIGHT_API_URL: it keeps cards apart from everything else.',
  )
}

/**
 * Plugins are pages of others: cookies that they set must not reach the API or the vault, where enough of them would keep
 * a browser out for as long as they live.
 */
export function checkPluginsSite({ environment, host, apiUrl, vaultUrl, pluginsUrl }: Origins): void {
  if (pluginsUrl === undefined) {
    if (environment === 'local') return
    throw wrongSetting(
      'TILLWRIGHT_PLUGINS_URL',
      'is required outside "local": an https:// address on a registrable domain that the API and the vault do not use, such as "https://plugins.example-pages.com", next to "https://api.example.com".',
    )
  }
  const pluginsHost = new URL(pluginsUrl).hostname
  for (const [name, url] of [
    ['TILLWRIGHT_API_URL', apiUrl],
    ['TILLWRIGHT_VAULT_URL', vaultUrl],
  ] as const) {
    const ownHost = url === undefined ? host : new URL(url).hostname
    if (!sharesCookies(ownHost, pluginsHost)) continue
    throw wrongSetting(
      'TILLWRIGHT_PLUGINS_URL',
      `pages of plugins below ${pluginsHost} could set cookies for ${ownHost} (${name}); give plugins another registrable domain, such as "https://plugins.example-pages.com", next to "https://api.example.com".`,
    )
  }
}
