import type { JSX } from 'preact'
import { useWords } from '../texts/use-words.tsx'

/**
 * The place of wallets' buttons. Whoever offers one puts it into the element; while nothing is in it, nothing of it is
 * seen, and neither is the line that parts it from the card.
 */
export function ExpressSlot(): JSX.Element {
  const say = useWords()
  return (
    <>
      <div class="express" id="express" />
      <p class="express-end">{say('orCard')}</p>
    </>
  )
}
