import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { usePage, usePay } from '@tillwright/plugin-sdk/preact'
import { messageOf } from '../checkout/message-of.ts'
import { useTexts } from '../flow/funnel-context.ts'

/** The message for an unsuccessful payment, announced to screen readers and focused. */
export function PayMessage({ onPaid }: { onPaid: () => void }): JSX.Element {
  const { pay } = usePage()
  const { status, outcome } = usePay()
  const texts = useTexts()
  const box = useRef<HTMLDivElement>(null)
  const [before] = useState(outcome) // of a payment on a page before this one
  const message = status === 'idle' && outcome !== before ? messageOf(outcome) : null
  useEffect(() => {
    if (message !== null) box.current?.focus()
  }, [message, outcome])
  return (
    <div role="alert" ref={box} tabIndex={-1} class="pay-message">
      {message !== null && <p class="problem">{texts[message]}</p>}
      {message === 'pending' && (
        <button
          type="button"
          class="link"
          onClick={() => void pay.resume().then((now) => now?.outcome === 'paid' && onPaid())}
        >
          {texts.askAgain}
        </button>
      )}
    </div>
  )
}
