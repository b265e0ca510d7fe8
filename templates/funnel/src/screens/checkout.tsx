import { useState } from 'preact/hooks'
import { useCard, useConfig, useMoney, useOrder, usePage, usePay, useText } from '@tillwright/plugin-sdk/preact'
import { BroughtAlong } from '../components/brought-along.tsx'
import { Field } from '../components/field.tsx'
import { Lines } from '../components/lines.tsx'
import { Shipping } from '../components/shipping.tsx'
import { placeOrder } from '../place-order.ts'
import { emailOf, emailProblem } from '../rules/email-problem.ts'
import { outcomeText } from '../rules/outcome-text.ts'
import type { ScreenProps } from '../screen-props.ts'
import { texts } from '../texts.ts'

/** Who buys, and the card. What was typed stays until the order is paid. */
export function Screen({ goOn }: ScreenProps) {
  const page = usePage()
  const order = useOrder()
  const { theme, accent } = useConfig()
  const { status, outcome } = usePay()
  const card = useCard({ appearance: { theme, variables: { colorPrimary: accent, borderRadius: '10px' } } })
  const [problem, setProblem] = useState('')
  const t = useText()
  const money = useMoney()
  const isPaying = status !== 'idle'
  const isReady = card.status === 'ready' && !!order?.lines.length && order.shipping?.optionId !== null

  async function pay(form: HTMLFormElement): Promise<void> {
    const email = emailOf(new FormData(form))
    const wrong = emailProblem(email)
    setProblem(t(wrong))
    if (wrong) return form.querySelector<HTMLInputElement>('#email')?.focus()
    const paid = await placeOrder(page, email)
    if (paid.outcome === 'paid') await goOn()
  }

  if (order?.status === 'paid') {
    return (
      <section>
        <h1 tabIndex={-1}>{t(texts.paid)}</h1>
        <button type="button" onClick={() => void goOn()}>
          {t(texts.goOn)}
        </button>
      </section>
    )
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void pay(event.currentTarget)
      }}
    >
      <h1 tabIndex={-1}>{t(texts.checkout)}</h1>
      {order && <Lines order={order} />}
      <Field name="email" keyboard="email" label={t(texts.email)} complete="email" problem={problem} />
      {order && <Shipping order={order} />}
      <div ref={card.ref} />
      <BroughtAlong />
      {card.status === 'failed' && (
        <p className="problem" role="alert">
          {t(texts.cardFailed)}{' '}
          <button type="button" className="plain" onClick={card.retry}>
            {t(texts.retry)}
          </button>
        </p>
      )}
      <p className="problem" role="alert">
        {t(outcomeText(outcome))}
      </p>
      <button type="submit" className="pay" disabled={isPaying || !isReady}>
        {isPaying ? t(texts.paying) : t(texts.pay, { amount: order ? money(order.amount, order.currency) : '' })}
      </button>
    </form>
  )
}
