import { type Client, createClient, TillwrightError } from '@tillwright/client'
import { contract, type Funnel } from '@tillwright/contract'
import type { Plugin } from '@tillwright/plugin-build'
import { AuthorError } from '../author-error.ts'
import { type KeptShop, readKept, writeKept } from '../local-state.ts'
import { hasSteps, pageAddress, stepIdOf, stepsOf } from '../pages.ts'
import type { Scenario } from '../scenarios/index.ts'
import type { DevPlatform, FindPlatform } from './platform.ts'
import { beginPreview, callSession, type Preview, type WantedPreview } from './preview.ts'
import { type DemoShop, findShop, unlessMissing } from './shop.ts'

/** A plugin bound to a platform: a shop, a funnel with a step for each page, and a preview session of it. */
export interface Binding {
  readonly platform: DevPlatform
  readonly shop: DemoShop
  readonly funnel: Funnel
  /** Valid on the pages' origin; `null` if none could be made. */
  readonly publishableKey: string | null
  readonly preview: Preview
  /** The scenario that the preview began with. */
  readonly scenario: Scenario
  /** Makes the funnel's steps those of the plugin's pages. */
  syncSteps: (plugin: Plugin) => Promise<void>
  /** Begins another preview, at the scenario's page. */
  restart: (plugin: Plugin, scenario: Scenario) => Promise<Preview>
  /** Leaves the session's step; the step where the session is then. */
  next: () => Promise<string | null>
  /** Looks for the platform again, which may have moved, and waits until it answers. */
  reconnect: () => Promise<void>
}

export interface BindingOptions {
  findPlatform: FindPlatform
  /** The origins of the pages. */
  origins: readonly string[]
  /** Where the pages are shown, without a slash at the end. */
  url: string
  scenario: Scenario
  /** The settings that a session's pages get; by default those of the document. */
  configOf?: (scenario: Scenario) => Readonly<Record<string, unknown>> | null
}

/** Binds a plugin. The preview begins anew; the shop and the funnel of what was kept are found again. */
export async function bindPlugin(plugin: Plugin, options: BindingOptions): Promise<Binding> {
  try {
    return await bind(plugin, options)
  } catch (error) {
    if (!(error instanceof TillwrightError) || error.status !== 403) throw error
    throw Object.assign(error, { message: `${error.message} ${ALL_RIGHTS}` })
  }
}

/** Said at once, because a platform names one right at a time. */
const ALL_RIGHTS =
  'Pages in development need the scopes products:read, products:write, funnels:read and funnels:write, and a store: name one with "tillwright login --store", since making one takes the role org:admin.'

async function bind(
  plugin: Plugin,
  { findPlatform, origins, url, scenario: first, configOf = () => null }: BindingOptions,
): Promise<Binding> {
  let platform = await findPlatform()
  let client = clientOf(platform)
  const prepared = await prepare(plugin, { platform, client, origins })
  let { funnel } = prepared
  let scenario = first
  const { shop, publishableKey } = prepared
  const begin = async (at: Plugin) => {
    const stepId = entryStep(at, scenario)
    const config = configOf(scenario)
    preview = await beginPreview({
      client,
      apiUrl: platform.apiUrl,
      shop,
      funnelId: funnel.id,
      stepId,
      stepUrls: stepUrlsOf(at, url, scenario),
      scenario,
      config,
    })
    return preview
  }
  let preview: Preview
  await begin(plugin)
  return {
    shop,
    publishableKey,
    get platform() {
      return platform
    },
    get funnel() {
      return funnel
    },
    get preview() {
      return preview
    },
    get scenario() {
      return scenario
    },
    async syncSteps(changed) {
      const steps = stepsOf(changed)
      if (!hasSteps(funnel.steps, steps)) funnel = await client.funnels.update({ funnelId: funnel.id, steps })
    },
    restart(at, wanted) {
      scenario = wanted
      return begin(at)
    },
    next: () => nextStep({ apiUrl: platform.apiUrl, token: preview.token }),
    async reconnect() {
      platform = await findPlatform()
      client = clientOf(platform)
      await client.accounts.testKey({})
    },
  }
}

interface Preparation {
  platform: DevPlatform
  client: Client
  origins: readonly string[]
}

/** The shop, the funnel and the publishable key: found again, or made and kept. */
async function prepare(
  plugin: Plugin,
  { platform, client, origins }: Preparation,
): Promise<Pick<Binding, 'shop' | 'funnel' | 'publishableKey'>> {
  const accountId = await accountOf(client)
  const kept = await readKept(plugin.root, accountId)
  const shop = await findShop(client, platform, kept)
  const funnel = await findFunnel(client, { plugin, shop, kept })
  const places = origins.join(' ')
  const known = kept?.publishableKeys[places] ?? null
  // A local platform makes a key only if none is stored; elsewhere a key that was passed in takes precedence.
  const made =
    platform.environment === 'local' && known !== null ? null : await platform.makePublishableKey(shop.storeId, origins)
  const publishableKey = made ?? known
  const publishableKeys = { ...kept?.publishableKeys, ...(publishableKey !== null && { [places]: publishableKey }) }
  const { storeId, productId } = shop
  await writeKept(plugin.root, accountId, { storeId, productId, funnelId: funnel.id, publishableKeys })
  return { shop, funnel, publishableKey }
}

/** Leaves the session's step, as its page would. */
async function nextStep(call: { apiUrl: string; token: string }): Promise<string | null> {
  const { step } = await callSession(contract.session.get, call)
  if (step === null) return null
  const after = await callSession(contract.session.next, { ...call, body: { stepId: step.id } })
  return after.step?.id ?? null
}

function clientOf({ apiKey, apiUrl }: DevPlatform): Client {
  return createClient({ apiKey, baseUrl: apiUrl })
}

/** @throws {AuthorError} For a platform in production: nothing of a plugin that is being written goes there. */
async function accountOf(client: Client): Promise<string> {
  const { accountId, environment } = await client.accounts.testKey({})
  if (environment !== 'production') return accountId
  throw new AuthorError('This platform is in production; work on a plugin with a local or a development one.')
}

interface WantedFunnel {
  plugin: Plugin
  shop: DemoShop
  kept: KeptShop | null
}

async function findFunnel(client: Client, { plugin, shop, kept }: WantedFunnel): Promise<Funnel> {
  const steps = stepsOf(plugin)
  const found = kept === null ? null : await unlessMissing(client.funnels.get({ funnelId: kept.funnelId }))
  if (found === null || found.storeId !== shop.storeId) {
    return client.funnels.create({
      storeId: shop.storeId,
      name: `Preview of ${plugin.file.name}`,
      active: false,
      steps,
    })
  }
  return hasSteps(found.steps, steps) ? found : client.funnels.update({ funnelId: found.id, steps })
}

/** Where the pages of the steps are shown. */
function stepUrlsOf({ pages }: Plugin, url: string, { params }: Scenario): WantedPreview['stepUrls'] {
  return pages.map((page) => ({ stepId: stepIdOf(page.id), url: url + pageAddress(page, params) }))
}

/** The step of the scenario's page, else of the default page. */
function entryStep({ pages }: Plugin, { page }: Scenario): string {
  const named = pages.find(({ id }) => id === page) ?? pages.find(({ isDefault }) => isDefault)
  return stepIdOf(named?.id ?? '')
}

/** Whether an error says that the platform is not there, rather than what it thinks of a request. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof TillwrightError) {
    return error.code === 'network_failed' || error.code === 'timed_out' || isGatewayError(error.status)
  }
  return error instanceof TypeError // fetch failed
}

/** Whether the status is that of a gateway whose platform does not answer. Source: RFC 9110, 15.6. */
export function isGatewayError(status: number | null | undefined): boolean {
  return status === 502 || status === 503 || status === 504
}
