import { lt } from 'semver'
import { type Content, type ContentFile, contentHash } from './content.ts'
import { type JsonChange, jsonChanges } from './json-changes.ts'
import type { Remote, RemoteDeployment, SettingsForecast } from './remote.ts'

/** Plans the publication of content to a platform. Pure. */
export function makePlan(content: Content, remote: Remote, target: Plan['target']): Plan {
  const { active, settings } = remote
  const missing = new Set(remote.missing)
  // A file may have several paths, and is sent once.
  const sent = new Map(content.files.filter((file) => missing.has(file.sha256)).map((file) => [file.sha256, file]))
  const files = fileChanges(active?.files ?? [], content.files)
  const manifest = active === null ? [] : jsonChanges(asKept(active.manifest), asKept(content.manifest))
  return {
    v: 1,
    target,
    pluginId: content.pluginId,
    version: content.version,
    manifestVersion: content.manifestVersion,
    base: baseOf(active),
    content: contentHash(content),
    files,
    upload: { files: sent.size, bytes: bytesOf([...sent.values()]) },
    manifest,
    pages: pageChanges(active, content),
    settings,
    risks: risks(content, remote),
    overwrites: remote.sameVersion !== null,
    isNothing: active !== null && isSame(files) && manifest.length === 0 && !isChanging(settings),
  }
}

/** The state that a plan depends on: once it changes, the plan is outdated. */
export function baseOf(active: RemoteDeployment | null): Plan['base'] {
  return {
    deploymentId: active?.id ?? null,
    version: active?.version ?? null,
    revision: active?.revision ?? null,
  }
}

function pageChanges(active: RemoteDeployment | null, { manifest }: Content): Plan['pages'] {
  const before = active === null ? [] : pathsOf(active.manifest)
  const after = pathsOf(manifest)
  return {
    added: after.filter((path) => !before.includes(path)),
    removed: before.filter((path) => !after.includes(path)),
  }
}

function isSame(files: Plan['files']): boolean {
  return files.new.length + files.changed.length + files.removed.length === 0
}

function isChanging(settings: SettingsForecast | null): boolean {
  return settings !== null && settings.updated.length > 0
}

/** One file in a plan. */
export interface FileLine {
  path: string
  size: number
}

/** A risk to consider before the plan is applied. */
export interface Risk {
  code:
    | 'downgrade'
    | 'commit_missing'
    | 'overwrites_version'
    | 'mode_changed'
    | 'page_removed'
    | 'default_page_changed'
    | 'settings_conflict'
    | 'settings_invalid'
  /** A sentence for people. */
  message: string
}

/** The effects of publishing. As JSON it can be stored, reviewed, and applied later; `v` is the format's version. */
export interface Plan {
  v: 1
  target: { apiUrl: string; environment: string; accountId: string; storeId: string }
  pluginId: string
  /** The version that the deployment gets: that of the manifest, or a build of it. */
  version: string
  manifestVersion: string
  /** The platform's state when the plan was made. */
  base: { deploymentId: string | null; version: string | null; revision: number | null }
  /** The hash of the content when the plan was made. */
  content: string
  files: {
    new: readonly FileLine[]
    changed: readonly FileLine[]
    removed: readonly FileLine[]
    /** The number of unchanged files, and their bytes. */
    same: { files: number; bytes: number }
  }
  /** The files to send; the platform already has the rest. */
  upload: { files: number; bytes: number }
  manifest: readonly JsonChange[]
  pages: { added: readonly string[]; removed: readonly string[] }
  settings: SettingsForecast | null
  risks: readonly Risk[]
  /** Whether a deployment of this version is replaced, which needs consent. */
  overwrites: boolean
  /** Whether exactly this content is already active. */
  isNothing: boolean
}

/** The risks of publishing this content. */
function risks(content: Content, remote: Remote): Risk[] {
  return [
    ...(remote.active === null ? [] : activeRisks(content, remote.active)),
    ...overwriteRisks(content, remote),
    ...settingsRisks(remote),
  ]
}

function activeRisks(content: Content, active: RemoteDeployment): Risk[] {
  const { version, manifest } = content
  const kept = new Set(pathsOf(manifest))
  const gone = pathsOf(active.manifest).filter((path) => !kept.has(path))
  const shownOn = active.hosts.length === 0 ? '' : ` It is shown on ${active.hosts.join(', ')}.`
  const [before, after] = [defaultPathOf(active.manifest), defaultPathOf(manifest)]
  return [
    ...when(lt(version, active.version), {
      code: 'downgrade',
      message: `Version ${version} is older than ${active.version}, which is active.`,
    }),
    ...when(modeOf(manifest) !== modeOf(active.manifest), {
      code: 'mode_changed',
      message: `The plugin changes from ${modeOf(active.manifest)} to ${modeOf(manifest)}: links to its pages may break.`,
    }),
    ...gone.map((path): Risk => ({
      code: 'page_removed',
      message: `The page ${path} is removed: opening it gives a 404.${shownOn}`,
    })),
    ...when(before !== after && kept.has(before ?? ''), {
      code: 'default_page_changed',
      message: `The page at / changes from ${before} to ${after}.`,
    }),
  ]
}

function overwriteRisks({ version, pluginId }: Content, { sameVersion }: Remote): Risk[] {
  if (sameVersion === null) return []
  const message = `Version ${version} of ${pluginId} is already deployed with different content: that deployment is archived and replaced.`
  return [{ code: 'overwrites_version', message }]
}

function settingsRisks({ settings }: Remote): Risk[] {
  if (settings === null) return []
  const presets = new Set(settings.invalid.map(({ preset }) => preset))
  return [
    ...when(settings.conflicts.length > 0, {
      code: 'settings_conflict',
      message: `Author and merchant have both changed ${settings.conflicts.join(', ')}; the merchant's values are kept.`,
    }),
    ...when(presets.size > 0, {
      code: 'settings_invalid',
      message: `${presets.size} live ${presets.size === 1 ? 'preset' : 'presets'} would become invalid: ${[...presets].join(', ')}.`,
    }),
  ]
}

function when(applies: boolean, risk: Risk): Risk[] {
  return applies ? [risk] : []
}

function modeOf({ mode }: Readonly<Record<string, unknown>>): string {
  return typeof mode === 'string' ? mode : 'direct-mode'
}

/** The differences between the files of two deployments, by path. */
function fileChanges(before: readonly ContentFile[], after: readonly ContentFile[]): Plan['files'] {
  const former = new Map(before.map((file) => [file.path, file]))
  const paths = new Set(after.map((file) => file.path))
  const same = after.filter((file) => former.get(file.path)?.sha256 === file.sha256)
  const changed = after.filter((file) => (former.get(file.path)?.sha256 ?? file.sha256) !== file.sha256)
  return {
    new: after.filter((file) => !former.has(file.path)).map(line),
    changed: changed.map(line),
    removed: before.filter((file) => !paths.has(file.path)).map(line),
    same: { files: same.length, bytes: bytesOf(same) },
  }
}

/** The bytes of files together. */
export function bytesOf(files: readonly { size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

function line({ path, size }: ContentFile): FileLine {
  return { path, size }
}

type Manifest = Readonly<Record<string, unknown>>

/** A manifest as the platform stores it, with `isDefault` set on every page. */
function asKept(manifest: Manifest): Manifest {
  const path = defaultPathOf(manifest)
  return { ...manifest, pages: pages(manifest).map((page) => ({ ...page, isDefault: page.path === path })) }
}

/** The paths of a manifest's pages, in its order. */
function pathsOf(manifest: Manifest): string[] {
  return pages(manifest).map(({ path }) => path)
}

/** The path of the page at `/`: the one marked as default, or the first. */
function defaultPathOf(manifest: Manifest): string | null {
  const all = pages(manifest)
  return (all.find((page) => page.isDefault === true) ?? all[0])?.path ?? null
}

function pages({ pages: value }: Manifest): { path: string; isDefault?: unknown }[] {
  return Array.isArray(value) ? value : [] // the platform has validated its response, and the reader what is sent
}
