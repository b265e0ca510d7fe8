import type { TargetOptions } from '../target/find-target.ts'
import type { OutputOptions } from '../terminal/output.ts'

/** The options of `tillwright dev`. */
export interface DevCommandOptions extends OutputOptions, TargetOptions {
  port: number
  host?: boolean
  open?: boolean
  scenario?: string
  variant?: string
  publishableKey?: string
}
