import { useMemo } from 'preact/hooks'
import { usePage, useSession, useStore } from '@tillwright/plugin-sdk/preact'
import { withTemplate } from './with-template.ts'

/** The settings of the step that is shown: the store's, with the template that the step's own settings name over them. */
export function useSettings(): Tillwright.Config {
  const { config, templates } = usePage()
  const settings = useStore(config)
  const named = useStore(templates)
  const name = useSession().view?.step?.settings['template']
  const template = typeof name === 'string' ? named[name] : undefined
  return useMemo(() => withTemplate(settings, template), [settings, template])
}
