import type { JsonChange } from './json-changes.ts'
import type { SettingsForecast } from './remote.ts'

/** One file as a plan tells it. */
export interface FileLine {
  path: string
  size: number
}

/** What a reader of the plan should think about before it is applied. */
export interface Risk {
  code:
    | 'downgrade'
    | 'overwrites_version'
    | 'mode_changed'
    | 'page_removed'
    | 'default_page_changed'
    | 'settings_conflict'
    | 'settings_invalid'
  /** A sentence for people. */
  message: string
}

/** What publishing will do. As JSON it can be kept, read by others, and applied later: `v` is its version. */
export interface Plan {
  v: 1
  target: { apiUrl: string; environment: string; accountId: string; storeId: string }
  pluginId: string
  version: string
  /** How the platform stood: it has moved when this is another one. */
  base: { deploymentId: string | null; version: string | null; revision: number | null }
  /** A hash of all that is to be published: the folder has moved when this is another one. */
  content: string
  files: {
    new: readonly FileLine[]
    changed: readonly FileLine[]
    removed: readonly FileLine[]
    /** How many stay as they are, and their bytes. */
    same: { files: number; bytes: number }
  }
  /** What has to be sent; the platform holds the rest already. */
  upload: { files: number; bytes: number }
  manifest: readonly JsonChange[]
  pages: { added: readonly string[]; removed: readonly string[] }
  settings: SettingsForecast | null
  risks: readonly Risk[]
  /** Whether a deployment of this version is replaced, which wants to be said. */
  overwrites: boolean
  /** Whether the platform has exactly this already, and uses it. */
  isNothing: boolean
}
