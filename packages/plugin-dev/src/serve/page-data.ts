import type { MatchedPage } from '@tillwright/contract'
import type { Plugin } from '@tillwright/plugin-build'
import type { Binding } from '../binding/index.ts'
import { pageAddress, stepIdOf } from '../pages.ts'
import { API_PATH, RENEW_PATH, type SharedData } from '../protocol.ts'
import { settingsOf } from '../scenarios/index.ts'

/** The data of one page, in the shape of hosted pages; `session` and `renewUrl` belong to the preview. */
export interface DevPageData extends SharedData {
  apiUrl: string
  vaultUrl: string
  page: { id: string; path: string; params: Readonly<Record<string, string>> } | null
  funnel: { id: string; stepId: string } | null
}

/** The data that all pages share, sent again when it changes. */
export function sharedData({ file, configuration, templates }: Plugin, binding: Binding): SharedData {
  const { scenario, shop, preview, publishableKey } = binding
  return {
    v: 1,
    publishableKey: publishableKey ?? '',
    storeId: shop.storeId,
    deploymentId: 'dev',
    pluginId: file.pluginId,
    version: file.version,
    basePath: '/',
    config: settingsOf(configuration, scenario),
    templates,
    session: { token: preview.token, isPreview: true },
    renewUrl: RENEW_PATH,
  }
}

/** Where a page was asked for. */
export interface PageRequest {
  matched: MatchedPage | null
  /** The origin by which the browser knows this server. */
  origin: string
  /** The origin by which it knows the vault. */
  vaultUrl: string
}

/** The data in a page's document. */
export function pageData(plugin: Plugin, binding: Binding, { matched, origin, vaultUrl }: PageRequest): DevPageData {
  const page = matched && { id: matched.page.id, path: matched.page.path, params: matched.params }
  return {
    ...sharedData(plugin, binding),
    apiUrl: origin + API_PATH,
    vaultUrl,
    page,
    funnel: page && { id: binding.funnel.id, stepId: stepIdOf(page.id) },
  }
}

/**
 * Replaces the addresses of steps in the platform's answer about a session by those of this server: the platform knows
 * only the addresses of deployments.
 *
 * @param text JSON; anything else stays as it is.
 * @param origin The origin of this server's pages.
 */
export function withStepAddresses(text: string, { pages }: Pick<Plugin, 'pages'>, origin: string): string {
  const answer = parsed(text)
  const session = [answer, Object(answer)['session']].find((each) => Object(each)['sessionId'] !== undefined)
  if (session === undefined) return text
  const orderId: unknown = Object(Object(session)['payment'])['orderId']
  const params = typeof orderId === 'string' ? { orderId } : {}
  const addresses = new Map(pages.map((page) => [stepIdOf(page.id), origin + pageAddress(page, params)]))
  for (const name of ['step', 'nextStep']) {
    const step = Object(session)[name]
    const url = addresses.get(Object(step)['id'])
    if (url !== undefined) step.url = url
  }
  return JSON.stringify(answer)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
