import { lt } from 'semver'
import type { Content } from './content.ts'
import { pathsOf, defaultPathOf } from './pages-of.ts'
import type { Risk } from './plan.ts'
import type { Remote, RemoteDeployment } from './remote.ts'

/** What should be thought about before this is published. */
export function risks(content: Content, remote: Remote): Risk[] {
  return [
    ...(remote.active === null ? [] : againstActive(content, remote.active)),
    ...overwriting(content, remote),
    ...ofSettings(remote),
  ]
}

function againstActive(content: Content, active: RemoteDeployment): Risk[] {
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
      message: `The plugin turns from ${modeOf(active.manifest)} into ${modeOf(manifest)}: links into its pages may break.`,
    }),
    ...gone.map((path): Risk => ({
      code: 'page_removed',
      message: `The page ${path} goes: whoever opens it then gets a 404.${shownOn}`,
    })),
    ...when(before !== after && kept.has(before ?? ''), {
      code: 'default_page_changed',
      message: `The page of / becomes ${after} instead of ${before}.`,
    }),
  ]
}

function overwriting({ version, pluginId }: Content, { sameVersion }: Remote): Risk[] {
  if (sameVersion === null) return []
  const message = `Version ${version} of ${pluginId} is deployed with other content: it is archived, and this takes its place.`
  return [{ code: 'overwrites_version', message }]
}

function ofSettings({ settings }: Remote): Risk[] {
  if (settings === null) return []
  const presets = new Set(settings.invalid.map(({ preset }) => preset))
  return [
    ...when(settings.conflicts.length > 0, {
      code: 'settings_conflict',
      message: `Author and merchant have both changed ${settings.conflicts.join(', ')}; the merchant's stays.`,
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
