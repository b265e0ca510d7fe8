import { usePage, useStore } from '@tillwright/plugin-sdk/preact'
import { useMemo } from 'preact/hooks'

/** The settings of the step that is shown: the store's, with the template that the step's own settings name over them. */
export function useSettings(): Tillwright.Config {
  const { config, templates, session } = usePage()
  const settings = useStore(config)
  const named = useStore(templates)
  // Of the session this alone: every component has settings, and a change that is under way draws none of them again.
  const wanted = useMemo(
    () => ({ get: () => session.get().view?.step?.settings['template'], subscribe: session.subscribe }),
    [session],
  )
  const name = useStore(wanted)
  const template = typeof name === 'string' ? named[name] : undefined
  return useMemo(() => withTemplate(settings, template), [settings, template])
}

type Values = Readonly<Record<string, unknown>>

/**
 * Settings with those of a template in the place of their own: of objects field by field, of lists as a whole.
 *
 * @returns The settings themselves without a template.
 */
export function withTemplate<Settings extends object>(settings: Settings, template: Values | undefined): Settings {
  if (template === undefined) return settings
  return merged(settings as Values, template) as Settings // a template is part of the settings' own schema
}

function merged(below: Values, above: Values): Values {
  const entries = Object.entries(above).map(([key, value]) => {
    const own = below[key]
    return [key, isFields(own) && isFields(value) && !isTranslation(value) ? merged(own, value) : value]
  })
  return { ...below, ...Object.fromEntries(entries) }
}

function isFields(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text is replaced in all of its languages: half of it would say something else. */
function isTranslation(value: Values): boolean {
  return Object.entries(value).every(
    ([key, text]) => typeof text === 'string' && /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(key),
  )
}
