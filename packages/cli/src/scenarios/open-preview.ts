import { openBrowser } from '../dev/open-browser.ts'
import { chooseScenarios } from './choose-scenarios.ts'
import type { PreviewOptions } from './preview-options.ts'
import { showDeploymentOf } from './show-deployment-of.ts'

/** A preview of a deployment. */
export interface OpenedPreview {
  deploymentId: string
  /** Opens it once, within a minute. */
  url: string
}

/** Begins a preview of a deployment, and opens it where that is wanted. */
export async function openPreview(folder: string, options: PreviewOptions): Promise<OpenedPreview> {
  const { deploymentId, scenarios, host } = await showDeploymentOf(folder, options)
  const [named] = options.scenario === undefined ? [] : chooseScenarios(scenarios, [options.scenario])
  const typed = named?.card === undefined ? null : await typedCard(named.card)
  if (typed !== null) process.stderr.write(`Pay with ${typed}: no preview ends so by itself.\n`)
  const { url } = await (named === undefined ? host.prepareLive() : host.prepare(named))
  if (options.open === true) openBrowser(url)
  return { deploymentId, url }
}

/** The number of a scenario's card, if a payment ends as it says only where that is typed. */
async function typedCard(card: string): Promise<string | null> {
  const { cardNumber, presetOfCard } = await import('@tillwright/plugin-dev')
  return presetOfCard(card) === undefined ? cardNumber(card).replaceAll(/\d{4}(?=\d)/g, '$& ') : null
}

/** The address alone, for it to be taken elsewhere. */
export function showPreview({ url }: OpenedPreview): string {
  return `${url}\n`
}
