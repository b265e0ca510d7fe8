import type { LiveSettings, Settings } from './live-settings.ts'

/**
 * The configuration that pages work with: the preset that was chosen, else the one called `default`, else the first by
 * name, else what the manifest brings. What a preset says of itself under `meta` is for tools and not for pages.
 */
export function configOf(
  { presets, activePreset }: Pick<LiveSettings, 'presets' | 'activePreset'>,
  manifestConfig: Settings | undefined,
): Settings {
  const [first] = Object.keys(presets).toSorted()
  const name = [activePreset, 'default', first].find((each) => each != null && Object.hasOwn(presets, each))
  return withoutMeta((name == null ? undefined : presets[name]) ?? manifestConfig ?? {})
}

/** Settings without their own `meta`. */
export function withoutMeta({ meta: _, ...settings }: Settings): Settings {
  return settings
}
