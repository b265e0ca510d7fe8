import type { JSX } from 'preact'
import { useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'

/** A number of stars, with a text for screen readers. */
export function Stars({ rating }: { rating: number }): JSX.Element {
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
