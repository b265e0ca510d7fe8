import type { Blobs } from '../storage/blobs/blobs.ts'
import type { ResolveTxt } from './domains/resolve-txt.ts'
import type { PresetChecker } from './settings/check-presets.ts'

/** What plugins need around them beside the parts of every request. */
export interface PluginHosting {
  blobs: Blobs
  /** Every deployment has a host under this one: `http://plugins.localhost:4400`. */
  pluginsUrl: string
  /** Host names of the platform itself, which no account may claim. */
  ownHostnames: readonly string[]
  resolveTxt: ResolveTxt
  presets: PresetChecker
}
