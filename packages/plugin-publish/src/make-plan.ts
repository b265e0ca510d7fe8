import { contentHash } from './content-hash.ts'
import type { Content } from './content.ts'
import { bytesOf, fileChanges } from './file-changes.ts'
import { jsonChanges } from './json-changes.ts'
import { asKept, pathsOf } from './pages-of.ts'
import type { Plan } from './plan.ts'
import type { Remote, RemoteDeployment, SettingsForecast } from './remote.ts'
import { risks } from './risks.ts'

/** What publishing this content to a platform that stands so will do. Pure: the same twice for the same. */
export function makePlan(content: Content, remote: Remote, target: Plan['target']): Plan {
  const { active, settings } = remote
  const missing = new Set(remote.missing)
  // One file may stand under several paths, and is sent once.
  const sent = new Map(content.files.filter((file) => missing.has(file.sha256)).map((file) => [file.sha256, file]))
  const files = fileChanges(active?.files ?? [], content.files)
  const manifest = active === null ? [] : jsonChanges(asKept(active.manifest), asKept(content.manifest))
  return {
    v: 1,
    target,
    pluginId: content.pluginId,
    version: content.version,
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

/** What a plan depends on: with another base it has to be made anew. */
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
