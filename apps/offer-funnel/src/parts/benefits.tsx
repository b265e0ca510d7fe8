import type { JSX } from 'preact'
import { useText } from '@tillwright/plugin-sdk/preact'
import { useSettings } from '../settings/use-settings.ts'
import { Icon } from './icon.tsx'

/** Why to buy it: as cards, as big numbers, or as lines. Nothing without benefits. */
export function Benefits(): JSX.Element | null {
  const { landing, look } = useSettings()
  const t = useText()
  if (landing.benefits.length === 0) return null
  return (
    <section class={`benefits benefits-${look.benefits}`}>
      <h2>{t(landing.benefitsTitle)}</h2>
      <ol>
        {landing.benefits.map(({ icon, title, text }, index) => (
          <li key={index}>
            {look.benefits === 'numbers' ? (
              <span class="number">{`0${index + 1}`.slice(-2)}</span>
            ) : (
              <Icon name={icon} />
            )}
            <div>
              <h3>{t(title)}</h3>
              <p>{t(text)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
