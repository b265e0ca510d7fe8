import type { DevCommandOptions } from '../dev/dev-options.ts'
import type { DeploymentOptions } from '../settings/find-deployment.ts'
import type { TargetOptions } from '../target/find-target.ts'
import type { OutputOptions } from '../terminal/output.ts'

/** The options of `tillwright preview`. */
export interface PreviewOptions extends OutputOptions, TargetOptions, DeploymentOptions {
  scenario?: string
  open?: true
  screenshots?: true
}

/** The options of `tillwright test`. */
export interface TestOptions extends Pick<DevCommandOptions, 'json' | 'target' | 'url' | 'publishableKey'> {
  built?: true
  scenario?: string[]
  update?: true
}
