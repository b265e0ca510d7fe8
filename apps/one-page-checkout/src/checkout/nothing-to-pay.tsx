import { usePage } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useSettings } from '../look/use-settings.ts'
import { useWords } from '../texts/use-words.tsx'
import { addressOf } from './show-receipt.ts'

/** Instead of the form: an order that is paid, as behind the browser's back button, or one without anything in it. */
export function NothingToPay({ isPaid, onAgain }: { isPaid: boolean; onAgain: () => void }): JSX.Element {
  const page = usePage()
  const { products } = useSettings()
  const say = useWords()
  return (
    <section class="section done" role="status">
      <h2>{say(isPaid ? 'alreadyPaid' : 'nothingChosen')}</h2>
      <p>{say(isPaid ? 'alreadyPaidWhy' : 'nothingChosenWhy')}</p>
      <p class="actions">
        {isPaid && (
          <a class="primary" href={addressOf(page, 'thank-you')}>
            {say('toReceipt')}
          </a>
        )}
        {products.length > 0 && (
          <button type="button" class="quiet" onClick={onAgain}>
            {say('orderAgain')}
          </button>
        )}
      </p>
    </section>
  )
}
