import type { DeploymentOptions } from '../settings/find-deployment.ts'
import type { TargetOptions } from '../target/find-target.ts'
import type { OutputOptions } from '../terminal/answer.ts'

/** How `tillwright preview` is called. */
export interface PreviewOptions extends OutputOptions, TargetOptions, DeploymentOptions {
  scenario?: string
  open?: true
  screenshots?: true
}
