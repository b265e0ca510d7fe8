import { useLocale, useSession, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useTexts } from '../flow/funnel-context.ts'
import { useSettings } from '../settings/use-settings.ts'

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

/** A review of the settings. */
type Review = Tillwright.Config['landing']['reviews'][number]

/** The reviews that may be shown: samples appear in previews only, because a live page must not invent a buyer's word. */
export function shownReviews(reviews: readonly Review[], isPreview: boolean): readonly Review[] {
  return reviews.filter(({ isSample }) => isPreview || !isSample)
}

/** The average of the stars of at least one review. */
export function ratingOf(reviews: readonly Pick<Review, 'rating'>[]): number {
  return reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length
}

/** A number of stars, with a text for screen readers. */
function Stars({ rating }: { rating: number }): JSX.Element {
  const t = useText()
  const texts = useTexts()
  return (
    <span class="stars" role="img" aria-label={t(texts.stars, { rating })}>
      {Array.from({ length: 5 }, (_, index) => (
        <svg key={index} viewBox="0 0 20 20" class={index < rating ? 'full' : 'empty'} aria-hidden="true">
          <path d="m10 1.6 2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8L1.6 7.7l5.8-.8Z" />
        </svg>
      ))}
    </span>
  )
}
