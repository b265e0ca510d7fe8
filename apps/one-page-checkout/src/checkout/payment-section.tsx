import type { useCard } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { Notice } from '../frame/notice.tsx'
import { useWords } from '../texts/use-words.tsx'
import { ExpressSlot } from './express-slot.tsx'

/** The card form, which is the vault's: nothing that is typed there is ever in this page. */
export function PaymentSection({ card }: { card: ReturnType<typeof useCard> }): JSX.Element {
  const say = useWords()
  return (
    <section class="section" aria-labelledby="payment-heading">
      <h2 id="payment-heading">{say('payment')}</h2>
      <ExpressSlot />
      <p class="hint">{say('paymentHint')}</p>
      <div class="card" ref={card.ref} hidden={card.status === 'failed'} />
      {card.status === 'failed' && (
        <Notice text={say('cardMissing')}>
          <button type="button" class="quiet" onClick={card.retry}>
            {say('tryAgain')}
          </button>
        </Notice>
      )}
    </section>
  )
}
