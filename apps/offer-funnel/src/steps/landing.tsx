import { usePage, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { AdvanceButton } from '../flow/advance-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Picture } from '../parts/picture.tsx'
import { Reviews } from '../parts/reviews.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSettings } from '../settings/use-settings.ts'

/** The product, its benefits, reviews and questions, and one button onwards. */
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

/** Why to buy it: as cards, as big numbers, or as lines. Nothing without benefits. */
function Benefits(): JSX.Element | null {
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

/** Questions that open; nothing without any. @param onOpen Receives the position of the opened question, from 1. */
function Faq({ onOpen }: { onOpen: (question: number) => void }): JSX.Element | null {
  const { landing } = useSettings()
  const t = useText()
  if (landing.faq.length === 0) return null
  return (
    <section class="faq narrow">
      <h2>{t(landing.faqTitle)}</h2>
      {landing.faq.map(({ question, answer }, index) => (
        <details key={index} onToggle={({ currentTarget }) => currentTarget.open && onOpen(index + 1)}>
          <summary>{t(question)}</summary>
          <p>{t(answer)}</p>
        </details>
      ))}
    </section>
  )
}
