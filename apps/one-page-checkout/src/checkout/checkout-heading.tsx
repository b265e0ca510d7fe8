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
  return (
    <section class={shown === '' ? 'visually-hidden' : 'heading'} aria-labelledby="heading">
      <h1 id="heading">{shown || say('checkoutTitle')}</h1>
      {shown !== '' && t(intro) !== '' && <p>{t(intro)}</p>}
    </section>
  )
}
