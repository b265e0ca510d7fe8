import { useConfig, useOrder, usePage, useSession, useText } from '@tillwright/plugin-sdk/preact'
import { startOver } from '../begin-order.ts'
import { thankYouUrl } from '../go-on.ts'
import { texts } from '../texts.ts'
import { CheckoutForm } from './checkout-form.tsx'
import { Summary } from './summary.tsx'
import { Waiting } from './waiting.tsx'

/** The page: what is bought, who buys it, and how it is paid. */
export function Checkout() {
  const { headline } = useConfig()
  const t = useText()
  return (
    <main>
      <h1>{t(headline)}</h1>
      <Order />
    </main>
  )
}

function Order() {
  const page = usePage()
  const { status, view } = useSession()
  const order = useOrder()
  const t = useText()
  const waiting = order?.status === 'pending' ? view?.payment : null
  if (status === 'moved') {
    return (
      <p role="status">
        {t(texts.moved)}{' '}
        <button type="button" onClick={() => void startOver(page)}>
          {t(texts.startOver)}
        </button>
      </p>
    )
  }
  if (!order || !view) return <p role="status">{t(status === 'starting' ? texts.loading : texts.unreachable)}</p>
  if (order.status === 'open' && order.lines.length === 0) return <p role="status">{order.problem ?? t(texts.empty)}</p>
  if (order.status === 'open' || order.status === 'pending') {
    return (
      <div className="columns">
        <Summary order={order} />
        {waiting && waiting.paymentMethod.type !== 'card' ? (
          <Waiting payment={waiting} />
        ) : (
          <CheckoutForm view={view} />
        )}
      </div>
    )
  }
  return (
    <p role="status">
      {t(texts.paid)} <a href={thankYouUrl(page)}>{t(texts.toReceipt)}</a>
    </p>
  )
}
