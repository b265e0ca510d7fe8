import type { OutputOptions } from '../terminal/answer.ts'
import type { TargetOptions } from '../target/find-target.ts'

/** How `tillwright dev` is called. */
export interface DevCommandOptions extends OutputOptions, TargetOptions {
  port: number
  host?: boolean
  open?: boolean
  scenario?: string
  publishableKey?: string
}
