import { useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useSettings } from '../look/use-settings.ts'
import { useWords } from '../texts/use-words.tsx'

/** The heading of the settings; without one the page's name, which is read aloud and not shown. */
export function CheckoutHeading(): JSX.Element {
  const { heading, intro } = useSettings()
  const t = useText()
  const say = useWords()
  const shown = t(heading)
  if (shown === '') return <h1 class="visually-hidden">{say('checkoutTitle')}</h1>
  return (
    <div class="heading">
      <h1>{shown}</h1>
      {t(intro) !== '' && <p>{t(intro)}</p>}
    </div>
  )
}
