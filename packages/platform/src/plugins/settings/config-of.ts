import type { PluginManifest } from '@tillwright/contract'
import type { LiveSettings, Settings } from './live-settings.ts'

/**
 * The configuration that pages work with: the preset that the merchant chose, else the author's, else the one called
 * `default`, else the first by name, else what the manifest brings. What a preset says of itself under `meta` is for tools
 * and not for pages.
 */
export function configOf(
  { presets, activePreset }: Pick<LiveSettings, 'presets' | 'activePreset'>,
  { config, defaultPreset }: Pick<PluginManifest, 'config' | 'defaultPreset'>,
): Settings {
  const [first] = Object.keys(presets).toSorted()
  const name = [activePreset, defaultPreset, 'default', first].find(
    (each) => each != null && Object.hasOwn(presets, each),
  )
  return withoutMeta((name == null ? undefined : presets[name]) ?? config ?? {})
}

/** Settings without their own `meta`. */
export function withoutMeta({ meta: _, ...settings }: Settings): Settings {
  return settings
}
