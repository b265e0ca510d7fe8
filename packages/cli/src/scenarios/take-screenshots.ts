import type { TakenPreview } from '@tillwright/plugin-dev'
import pc from 'picocolors'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { PreviewOptions } from './preview-options.ts'
import { showDeploymentOf } from './show-deployment-of.ts'

/** What came of taking pictures. */
export interface Screenshots {
  deploymentId: string
  previews: TakenPreview[]
}

/** Takes the pictures of a deployment's previews. The process ends with `invalid` when one cannot be taken. */
export async function screenshots(folder: string, options: PreviewOptions): Promise<Screenshots> {
  const { openBrowser, takePreviews } = await import('@tillwright/plugin-dev')
  const { client, deploymentId, plugin, scenarios, host } = await showDeploymentOf(folder, options)
  const browser = await openBrowser()
  try {
    const tell = (preview: TakenPreview) => void process.stderr.write(showTaken(preview))
    const now = () => Date.now()
    const previews = await takePreviews({ client, deploymentId, plugin, scenarios, browser, host, now, tell })
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

/** What all of it came to. */
export function showScreenshots({ deploymentId, previews }: Screenshots): string {
  if (previews.length === 0) return `${deploymentId} names no previews; publish it again with scenarios.\n`
  const ready = previews.filter(({ status }) => status === 'ready').length
  return `${ready} of ${previews.length} previews of ${deploymentId} have their pictures.\n`
}
