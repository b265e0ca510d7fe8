import type { JSX } from 'preact'
import { usePage, useText } from '@tillwright/plugin-sdk/preact'
import { AdvanceButton } from '../parts/advance-button.tsx'
import { Benefits } from '../parts/benefits.tsx'
import { Faq } from '../parts/faq.tsx'
import { Icon } from '../parts/icon.tsx'
import { Picture } from '../parts/picture.tsx'
import { Reviews } from '../parts/reviews.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSettings } from '../settings/use-settings.ts'

/** What it is, why, what others say, and one way on. */
export function Landing(): JSX.Element {
  const { landing } = useSettings()
  const page = usePage()
  const t = useText()
  useTitle(t(landing.headline))
  return (
    <>
      <Hero />
      <Benefits />
      <Reviews />
      <Faq onOpen={(question) => page.track('question_opened', { question })} />
      <section class="closing">
        <h2>{t(landing.closingTitle)}</h2>
        <p>{t(landing.closingText)}</p>
        <AdvanceButton>{t(landing.cta)}</AdvanceButton>
      </section>
    </>
  )
}

function Hero(): JSX.Element {
  const { landing, look } = useSettings()
  const t = useText()
  return (
    <section class={`hero hero-${look.hero}`}>
      <div class="hero-words">
        <p class="eyebrow">{t(landing.eyebrow)}</p>
        <h1 tabIndex={-1}>{t(landing.headline)}</h1>
        <p class="lead">{t(landing.subline)}</p>
        <AdvanceButton>{t(landing.cta)}</AdvanceButton>
        <ul class="points">
          {landing.points.map((point, index) => (
            <li key={index}>
              <Icon name="check" />
              {t(point)}
            </li>
          ))}
        </ul>
      </div>
      <div class="hero-picture">
        <Picture path={landing.image} isFirst />
      </div>
    </section>
  )
}
