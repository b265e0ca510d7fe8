import { openBrowser } from '../dev/open-browser.ts'
import { chooseScenarios } from './choose-scenarios.ts'
import type { PreviewOptions } from './preview-options.ts'
import { showDeploymentOf } from './show-deployment-of.ts'

/** A preview of a deployment. */
export interface OpenedPreview {
  deploymentId: string
  /** Opens it for an hour. */
  url: string
}

/** Begins a preview of a deployment, and opens it where that is wanted. */
export async function openPreview(folder: string, options: PreviewOptions): Promise<OpenedPreview> {
  const { deploymentId, scenarios, host } = await showDeploymentOf(folder, options)
  const [named] = options.scenario === undefined ? [] : chooseScenarios(scenarios, [options.scenario])
  const { url } = await host.prepare(named ?? { name: 'Preview' })
  if (options.open === true) openBrowser(url)
  return { deploymentId, url }
}

/** The address alone, for it to be taken elsewhere. */
export function showPreview({ url }: OpenedPreview): string {
  return `${url}\n`
}
