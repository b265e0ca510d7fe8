import type { JSX } from 'preact'
import { useLocale, useSession, useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'
import { ratingOf, shownReviews, type Review } from '../settings/shown-reviews.ts'
import { useSettings } from '../settings/use-settings.ts'
import { Stars } from './stars.tsx'

/** Customer reviews and their average rating. Renders nothing without reviews. */
export function Reviews(): JSX.Element | null {
  const { landing } = useSettings()
  const t = useText()
  const texts = useTexts()
  const locale = useLocale()
  const shown = shownReviews(landing.reviews, useSession().view?.isPreview ?? false)
  if (shown.length === 0) return null
  const rating = ratingOf(shown).toLocaleString(locale, { maximumFractionDigits: 1 })
  return (
    <section class="reviews">
      <h2>{t(landing.reviewsTitle)}</h2>
      <p class="rating">{t(texts.reviewCount, { rating, count: shown.length })}</p>
      <ul>
        {shown.map((review, index) => (
          <Quote key={index} {...review} />
        ))}
      </ul>
    </section>
  )
}

function Quote({ name, place, rating, text, isSample }: Review): JSX.Element {
  const t = useText()
  const texts = useTexts()
  return (
    <li>
      <figure>
        <Stars rating={rating} />
        <blockquote>{t(text)}</blockquote>
        <figcaption>
          {name}
          {place !== '' && <span>, {place}</span>}
          {isSample && <em>{texts.sample}</em>}
        </figcaption>
      </figure>
    </li>
  )
}
