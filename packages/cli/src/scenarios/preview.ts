import type { Plugin } from '@tillwright/plugin-build'
import type { FindPlatform, PublishedHost, Scenario, TakenPreview } from '@tillwright/plugin-dev'
import pc from 'picocolors'
import { chooseScenarios, readPluginWith } from '../author/plugin-scenarios.ts'
import { openBrowser } from '../dev/open-browser.ts'
import { chooseStore } from '../publish/publish-options.ts'
import { type DeploymentOptions, findDeployment } from '../settings/find-deployment.ts'
import { connect, type Connection } from '../target/connect.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { CommandFailed, exitCodes } from '../terminal/fail-with.ts'
import type { OutputOptions } from '../terminal/output.ts'
import { printNotice } from '../terminal/print.ts'

/** The options of `tillwright preview`. */
export interface PreviewOptions extends OutputOptions, TargetOptions, DeploymentOptions {
  scenario?: string
  open?: true
  screenshots?: true
}

/** A preview of a deployment. */
export interface OpenedPreview {
  deploymentId: string
  /** Valid for one use, within a minute. */
  url: string
}

/** Creates a preview of a deployment, and opens it on request. */
export async function openPreview(folder: string, options: PreviewOptions): Promise<OpenedPreview> {
  const { deploymentId, scenarios, host } = await showDeploymentOf(folder, options)
  const [named] = options.scenario === undefined ? [] : chooseScenarios(scenarios, [options.scenario])
  const typed = named?.card === undefined ? null : await typedCard(named.card)
  if (typed !== null) printNotice(`Pay with ${typed}: a preview cannot force this outcome.\n`)
  const { url } = await (named === undefined ? host.prepareLive() : host.prepare(named))
  if (options.open === true) openBrowser(url)
  return { deploymentId, url }
}

/** The number of a scenario's card, if its outcome requires typing that number. */
async function typedCard(card: string): Promise<string | null> {
  const { cardNumber, presetOfCard } = await import('@tillwright/plugin-dev')
  return presetOfCard(card) === undefined ? cardNumber(card).replaceAll(/\d{4}(?=\d)/g, '$& ') : null
}

/** Only the address, so that scripts can use it. */
export function showPreview({ url }: OpenedPreview): string {
  return `${url}\n`
}

/** The result of taking screenshots. */
export interface Screenshots {
  deploymentId: string
  previews: TakenPreview[]
}

/** Takes the screenshots of a deployment's previews. The process exits with `invalid` if one cannot be taken. */
export async function screenshots(folder: string, options: PreviewOptions): Promise<Screenshots> {
  const dev = await import('@tillwright/plugin-dev')
  const { client, deploymentId, plugin, scenarios, host } = await showDeploymentOf(folder, options)
  const browser = await dev.openBrowser()
  try {
    const tell = (preview: TakenPreview) => printNotice(showTaken(preview))
    const now = () => Date.now()
    const previews = await dev.takePreviews({ client, deploymentId, plugin, scenarios, browser, host, now, tell })
    if (previews.some(({ status }) => status === 'failed')) process.exitCode = exitCodes.invalid
    return { deploymentId, previews }
  } finally {
    await browser.close()
  }
}

function showTaken({ id, status, mobile, desktop, error }: TakenPreview): string {
  if (status === 'failed') return `${pc.red('✗')} ${id} ${error}\n`
  return `${pc.green('✓')} ${id}\n    ${pc.dim(`${mobile}\n    ${desktop}`)}\n`
}

/** The result of taking screenshots, for people. */
export function showScreenshots({ deploymentId, previews }: Screenshots): string {
  if (previews.length === 0) return `${deploymentId} has no previews; publish it again with scenarios.\n`
  const ready = previews.filter(({ status }) => status === 'ready').length
  return `${ready} of ${previews.length} previews of ${deploymentId} have screenshots.\n`
}

/** A deployment that can be opened in scenarios. */
export interface ShownDeployment extends Pick<Connection, 'client'> {
  deploymentId: string
  plugin: Plugin
  scenarios: readonly Scenario[]
  host: PublishedHost
}

/**
 * Prepares the deployment of a command to be opened in scenarios.
 *
 * @throws {CommandFailed} In production, if none is active, and for a plugin with errors.
 */
async function showDeploymentOf(folder: string, options: PreviewOptions): Promise<ShownDeployment> {
  if (options.target === 'production') {
    throw new CommandFailed(
      '--target: previews create a demo product and funnel, which is not allowed in production.',
      'usage',
    )
  }
  const { publishedHost } = await import('@tillwright/plugin-dev')
  const { plugin, scenarios } = await readPluginWith(folder)
  const connection = await connect({ ...options, pluginFolder: folder })
  const { client, target } = connection
  const environment = target.name === 'local' ? 'local' : 'development' // production was refused
  const storeId = chooseStore(options, target)
  const deploymentId = await findDeployment(plugin.file.pluginId, options, connection)
  const { deployment } = await client.pluginManagement.view({ deploymentId })
  const findPlatform: FindPlatform = async () => ({
    environment,
    apiUrl: target.apiUrl,
    vaultUrl: '', // a deployment's pages get it from their platform
    apiKey: target.apiKey,
    storeId,
    makePublishableKey: async () => null,
  })
  const host = await publishedHost(plugin, { findPlatform, url: deployment.url.replace(/\/$/, '') })
  return { client, deploymentId, plugin, scenarios, host }
}
