import { useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useSettings } from '../look/use-settings.ts'
import type { Settings } from '../look/settings.ts'

type Icon = Settings['badges'][number]['icon']

/** Outlines in a square of 24, drawn with one stroke. */
const outlines: Readonly<Record<Icon, string>> = {
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  return: 'M9 7 4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-3',
  truck: 'M3 6h11v11H3zM14 10h4l3 3.5V17h-7M7.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4M17.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  leaf: 'M5 19C4 10 9 5 20 4c0 11-5 16-13 14M5 20c2-5 5-8 9-10',
  star: 'm12 4 2.4 5.1 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.8l5.6-.7z',
  chat: 'M4 5h16v11h-9l-4.5 4v-4H4zM8 9.5h8M8 12.5h5',
}

/** The shop's promises, such as free returns. */
export function Badges(): JSX.Element | null {
  const { badges } = useSettings()
  const t = useText()
  if (badges.length === 0) return null
  return (
    <ul class="badges">
      {badges.map(({ icon, title, text }) => (
        <li key={icon}>
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path d={outlines[icon]} />
          </svg>
          <div>
            <strong>{t(title)}</strong>
            {text !== undefined && <p>{t(text)}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}
