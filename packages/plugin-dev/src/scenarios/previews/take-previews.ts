import { createHash } from 'node:crypto'
import type { Client, InputOf } from '@tillwright/client'
import type { Contract } from '@tillwright/contract'
import type { Plugin } from '@tillwright/plugin-build'
import type { Browser } from 'playwright-core'
import { lookAtPage } from '../run/look-at-page.ts'
import type { ScenarioHost } from '../run/scenario-host.ts'
import { scenarioIds } from '../run/scenario-ids.ts'
import { viewports } from '../run/viewport-of.ts'
import type { Scenario } from '../scenario.ts'

/** What pictures are taken of, and by what. */
export interface PreviewTaking {
  client: Client
  deploymentId: string
  plugin: Pick<Plugin, 'pages'>
  scenarios: readonly Scenario[]
  browser: Browser
  /** Shows the deployment. */
  host: ScenarioHost
  /** When a picture is taken, in milliseconds since 1970. */
  now: () => number
  /** Is told of each preview when it is over. */
  tell: (preview: TakenPreview) => void
}

/** What came of a preview. */
export interface TakenPreview {
  id: string
  status: 'ready' | 'failed'
  /** Where its pictures are; `null` where there are none. */
  mobile: string | null
  desktop: string | null
  /** Why there are none, or `null`. */
  error: string | null
}

/**
 * Takes the pictures of a deployment's previews, on a phone and on a desktop, keeps them with the deployment and moves the
 * previews' status: to pending, and then to ready or failed.
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
      mobile: await take('phone', scenario, taking),
      desktop: await take('desktop', scenario, taking),
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
/** What makes a picture one of something that is broken. */
const spoils = ['document', 'error', 'unsettled']

/**
 * Takes one picture and stores it.
 *
 * @returns Its SHA-256.
 * @throws {Error} When the page is not as it should be.
 */
async function take(window: keyof typeof viewports, scenario: Scenario, taking: PreviewTaking): Promise<string> {
  const { client, browser, host } = taking
  const look = { viewport: viewports[window], locale: scenario.locale ?? 'en-US' }
  const { picture, problems } = await lookAtPage(browser, await host.prepare(scenario), look)
  const problem = problems.find(({ kind }) => spoils.includes(kind))
  if (problem !== undefined) throw new Error(`On a ${window}: ${problem.message}`)
  const sha256 = createHash('sha256').update(picture).digest('hex')
  const asset = { sha256, size: picture.length, content: picture.toString('base64') }
  await client.plugins.uploadAssets({ assets: [asset] })
  return sha256
}
