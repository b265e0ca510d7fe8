import type { JSX } from 'preact'
import type { CheckoutWork } from '../checkout/use-checkout.ts'
import { useTexts } from '../flow/funnel-context.ts'

/** The card form, and a way to get it when it did not come. */
export function CardPart({ card }: Pick<CheckoutWork, 'card'>): JSX.Element {
  const texts = useTexts()
  return (
    <fieldset>
      <legend>{texts.card}</legend>
      <div class={`card card-${card.status}`} ref={card.ref} />
      {card.status === 'failed' && (
        <p class="problem" role="alert">
          {texts.cardFailed}{' '}
          <button type="button" class="link" onClick={card.retry}>
            {texts.reload}
          </button>
        </p>
      )}
    </fieldset>
  )
}
