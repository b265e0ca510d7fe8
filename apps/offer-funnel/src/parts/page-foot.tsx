import type { JSX } from 'preact'
import { useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'
import { useSettings } from '../settings/use-settings.ts'

/** The footer, with legal links and contact. */
export function PageFoot(): JSX.Element {
  const { footer, brand } = useSettings()
  const t = useText()
  const texts = useTexts()
  return (
    <footer class="foot">
      <p>{t(footer.text)}</p>
      {brand.email !== undefined && <p>{t(texts.questions, { email: brand.email })}</p>}
      <ul>
        {footer.links.map(({ label, address }) => (
          <li key={address}>
            <a href={address} target="_blank" rel="noreferrer">
              {t(label)}
            </a>
          </li>
        ))}
      </ul>
    </footer>
  )
}
