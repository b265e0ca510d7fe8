import type { PaymentMethodType, PayOutcome } from '@tillwright/plugin-sdk'
import { usePage, usePay, useSession } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useTexts } from '../flow/funnel-context.ts'
import type { Texts } from '../texts/en.ts'

interface PayMessageProps {
  /** Outcome of a payment by a wallet, if that was the last one. */
  walletOutcome?: PayOutcome | null
  onPaid: () => void
}

/** The message for an unsuccessful payment, announced to screen readers and focused. */
export function PayMessage({ walletOutcome = null, onPaid }: PayMessageProps): JSX.Element {
  const { pay } = usePage()
  const { status, outcome } = usePay()
  const paidWith = useSession().view?.payment?.paymentMethod.type
  const texts = useTexts()
  const box = useRef<HTMLDivElement>(null)
  const [before] = useState(outcome) // of a payment on a page before this one
  const ofForm = status === 'idle' && outcome !== before ? messageOf(outcome, paidWith) : null
  const message = walletOutcome === null ? ofForm : messageOf(walletOutcome)
  useEffect(() => {
    if (message !== null) box.current?.focus()
  }, [message, outcome, walletOutcome])
  return (
    <div role="alert" ref={box} tabIndex={-1} class="pay-message">
      {message !== null && <p class="problem">{texts[message]}</p>}
      {message === 'undecided' && (
        // An order that is being paid is not paid twice: this leads to the page of its method again.
        <button type="button" class="link" onClick={() => void pay.withCard()}>
          {texts.goOnPaying}
        </button>
      )}
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

const declines: Readonly<Record<string, keyof Texts>> = {
  insufficient_funds: 'insufficient',
  expired_card: 'expiredCard',
  incorrect_cvc: 'wrongCode',
  authentication_required: 'notAuthenticated',
  debit_refused: 'declinedDebit',
  payment_expired: 'declinedLate',
}

/**
 * The message for an unsuccessful payment, or `null` if none is needed.
 *
 * @param paidWith The payment's method; `card` if there was no payment.
 */
export function messageOf(outcome: PayOutcome | null, paidWith: PaymentMethodType = 'card'): keyof Texts | null {
  switch (outcome?.outcome) {
    case 'declined':
      return declines[outcome.declineCode ?? ''] ?? declinedBy(outcome.reason, paidWith)
    case 'cancelled':
      return paidWith === 'card' ? 'cancelled' : 'cancelledThere'
    case 'pending':
      return outcome.payment.nextAction?.type === 'redirect' ? 'undecided' : 'pending'
    case 'failed':
      return 'payFailed'
    case 'paid':
    case 'incomplete': // the card form shows where
    case undefined:
      return null
  }
}

function declinedBy(reason: string, paidWith: PaymentMethodType): keyof Texts {
  return paidWith === 'card' ? (declines[reason] ?? 'declined') : 'declinedThere'
}
