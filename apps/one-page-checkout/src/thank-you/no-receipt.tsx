import { usePage } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { addressOf } from '../checkout/show-receipt.ts'
import { useWords } from '../texts/use-words.tsx'

/** For somebody who comes without having bought anything. */
export function NoReceipt(): JSX.Element {
  const page = usePage()
  const say = useWords()
  return (
    <section class="section done">
      <h1>{say('noReceipt')}</h1>
      <p class="actions">
        <a class="primary" href={addressOf(page, 'checkout')}>
          {say('toCheckout')}
        </a>
      </p>
    </section>
  )
}
