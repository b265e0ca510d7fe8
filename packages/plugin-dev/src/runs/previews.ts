import { createHash } from 'node:crypto'
import type { Client, InputOf } from '@tillwright/client'
import type { Contract, NewDeployment } from '@tillwright/contract'
import type { Plugin } from '@tillwright/plugin-build'
import type { Browser } from 'playwright-core'
import { pageAddress, pageOf } from '../pages.ts'
import { type Scenario, scenarioIds, viewports } from '../scenarios/index.ts'
import type { ScenarioHost } from './hosts.ts'
import { checkPage } from './page-check.ts'

/** Options of `takePreviews`. */
export interface PreviewTaking {
  client: Client
  deploymentId: string
  plugin: Pick<Plugin, 'pages'>
  scenarios: readonly Scenario[]
  browser: Browser
  /** Shows the deployment. */
  host: ScenarioHost
  /** The current time, in milliseconds since 1970. */
  now: () => number
  /** Called with each preview when it is done. */
  tell: (preview: TakenPreview) => void
}

/** The result of a preview. */
export interface TakenPreview {
  id: string
  status: 'ready' | 'failed'
  /** The URLs of its screenshots; `null` if it failed. */
  mobile: string | null
  desktop: string | null
  /** The reason of the failure, or `null`. */
  error: string | null
}

/**
 * Takes screenshots of a deployment's previews, on a phone and on a desktop, stores them with the deployment and
 * updates the previews' status: to pending, then to ready or failed.
 */
export async function takePreviews(taking: PreviewTaking): Promise<TakenPreview[]> {
  const { client, deploymentId, tell } = taking
  const { demoPreviews } = await client.pluginManagement.view({ deploymentId })
  const taken: TakenPreview[] = []
  for (const page of demoPreviews?.pages ?? []) {
    for (const { id, metadata } of page.previews) {
      const scenario = scenarioOf({ id, path: page.path, preset: metadata?.preset ?? null }, taking)
      const preview = await takePreview(id, scenario, taking)
      tell(preview)
      taken.push(preview)
    }
  }
  return taken
}

interface NamedPreview {
  id: string
  path: string
  preset: string | null
}

/** The scenario that the preview was made of; one of its page and preset where that is not there any more. */
function scenarioOf({ id, path, preset }: NamedPreview, { plugin, scenarios }: PreviewTaking): Scenario {
  const found = scenarios[scenarioIds(scenarios).indexOf(id)]
  if (found !== undefined) return found
  const page = plugin.pages.find((each) => each.path === path)
  return { name: id, ...(page !== undefined && { page: page.id }), ...(preset !== null && { preset }) }
}

async function takePreview(previewId: string, scenario: Scenario, taking: PreviewTaking): Promise<TakenPreview> {
  const { client, deploymentId, now } = taking
  const move = (body: Omit<InputOf<Contract['pluginManagement']['updatePreview']>, 'deploymentId' | 'previewId'>) =>
    client.pluginManagement.updatePreview({ deploymentId, previewId, ...body })
  await move({ status: 'pending' })
  try {
    const screenshots = {
      mobile: await storeScreenshot('phone', scenario, taking),
      desktop: await storeScreenshot('desktop', scenario, taking),
    }
    const capturedAt = new Date(now()).toISOString()
    const { demoPreviews } = await move({ status: 'ready', capturedAt, screenshots })
    const all = demoPreviews.pages.flatMap(({ previews }) => previews)
    const { mobile = null, desktop = null } = all.find(({ id }) => id === previewId)?.screenshotUrls ?? {}
    return { id: previewId, status: 'ready', mobile, desktop, error: null }
  } catch (error) {
    const message = String(Object(error).message ?? error).slice(0, ERROR_MAX_CHARS)
    await move({ status: 'failed', error: message })
    return { id: previewId, status: 'failed', mobile: null, desktop: null, error: message }
  }
}

const ERROR_MAX_CHARS = 500
/** Problems that spoil a screenshot. */
const spoils = ['document', 'error', 'unsettled']

/**
 * Takes one screenshot and stores it.
 *
 * @returns Its SHA-256.
 * @throws {Error} If the page has one of the problems in `spoils`.
 */
async function storeScreenshot(
  window: keyof typeof viewports,
  scenario: Scenario,
  taking: PreviewTaking,
): Promise<string> {
  const { client, browser, host } = taking
  const look = { viewport: viewports[window], locale: scenario.locale ?? 'en-US' }
  const { screenshot, problems } = await checkPage(browser, await host.prepare(scenario), look)
  const problem = problems.find(({ kind }) => spoils.includes(kind))
  if (problem !== undefined) throw new Error(`On a ${window}: ${problem.message}`)
  const sha256 = createHash('sha256').update(screenshot).digest('hex')
  const asset = { sha256, size: screenshot.length, content: screenshot.toString('base64') }
  await client.plugins.uploadAssets({ assets: [asset] })
  return sha256
}

export type DemoPreviews = NonNullable<NewDeployment['demoPreviews']>

/** The previews of a plugin: one for each scenario, by page, without screenshots yet. */
export function demoPreviewsOf(plugin: Pick<Plugin, 'pages'>, scenarios: readonly Scenario[]): DemoPreviews {
  const ids = scenarioIds(scenarios)
  const previews = scenarios.map((scenario, index) => {
    const page = pageOf(plugin, scenario)
    const { preset = null, params } = scenario
    const metadata = { status: 'pending', preset, capturedAt: null, error: null }
    return { page, preview: { id: ids[index] ?? '', previewUrl: pageAddress(page, params), metadata } }
  })
  const pages = plugin.pages.flatMap(({ id, path, name }) => {
    const own = previews.filter(({ page }) => page.id === id).map(({ preview }) => preview)
    return own.length === 0 ? [] : [{ path, name, previews: own }]
  })
  return { pages, metadata: { generator: 'tillwright' } }
}
