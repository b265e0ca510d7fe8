import type { TargetOptions } from '../target/find-target.ts'
import type { OutputOptions } from '../terminal/output.ts'

/** How `tillwright dev` is called. */
export interface DevCommandOptions extends OutputOptions, TargetOptions {
  port: number
  host?: boolean
  open?: boolean
  scenario?: string
  publishableKey?: string
}
