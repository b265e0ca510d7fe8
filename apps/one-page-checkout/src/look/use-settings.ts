import { useConfig, usePage, useStore } from '@tillwright/plugin-sdk/preact'
import { useMemo } from 'preact/hooks'
import { readSettings, type Settings } from './settings.ts'

/** The settings of the page; they change while `tillwright dev` runs. */
export function useSettings(): Settings {
  const config = useConfig()
  const templates = useStore(usePage().templates)
  return useMemo(() => readSettings(config, templates, location.search), [config, templates])
}
