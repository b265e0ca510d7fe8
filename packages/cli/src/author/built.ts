import type { BundleReport, Problem } from '@tillwright/plugin-build'
import type { ListedFile } from './write-build.ts'

/** What came of a build. */
export interface Built {
  /** Relative to the plugin's folder, as it was named. */
  out: string
  /** Without any when one of the problems is an error; then nothing was written. */
  files: ListedFile[]
  /** Null when a module could not be built. */
  report: BundleReport | null
  problems: Problem[]
  dryRun: boolean
}
