import type { ContentFile } from './content.ts'

/** A deployment of the plugin that the platform has, with its files. */
export interface RemoteDeployment {
  id: string
  version: string
  url: string
  manifest: Readonly<Record<string, unknown>>
  files: readonly ContentFile[]
  /** The revision of its settings. */
  revision: number
  /** The domains that show it. */
  hosts: readonly string[]
}

/** What publishing settings would come to, as the platform says it. */
export interface SettingsForecast {
  /** The presets, templates and schemas that would change. */
  updated: readonly string[]
  /** JSON pointers of what author and merchant have both changed. */
  conflicts: readonly string[]
  /** Live presets that the new schema does not allow, a line for each reason. */
  invalid: readonly { preset: string; pointer: string; message: string }[]
}

/** How a platform stands before something is published. */
export interface Remote {
  /** What the store uses; `null` where the plugin was never deployed. */
  active: RemoteDeployment | null
  /** A deployment of the same version that is live already; `null` where there is none. */
  sameVersion: RemoteDeployment | null
  /** Of the files, those that the platform does not hold yet, by SHA-256. */
  missing: readonly string[]
  /** `null` where nothing is active, so that nothing can be lost. */
  settings: SettingsForecast | null
  /** What the platform allows, in bytes and files. */
  limits: { fileBytes: number; files: number; deploymentBytes: number }
}
