import type { PluginManifest } from '@tillwright/contract'

type Page = Pick<PluginManifest['pages'][number], 'features' | 'isDefault'>

/** The page of a plugin that a step shows which names none: the one with a feature of the step's type, else the default. */
export function pageForStep<Known extends Page>(stepType: string, pages: readonly Known[]): Known | undefined {
  const fitting = pages.find(({ features }) => features.some(({ type }) => type === stepType))
  return fitting ?? pages.find((page) => page.isDefault === true)
}
