import { useState } from 'preact/hooks'
import type { BuyerSession } from '@tillwright/plugin-sdk'
import { useCard, useConfig, useMoney, usePage, usePay, useSession, useText } from '@tillwright/plugin-sdk/preact'
import { BroughtAlong } from '../components/brought-along.tsx'
import { Field } from '../components/field.tsx'
import { Lines } from '../components/lines.tsx'
import { Methods, useMethods } from '../components/methods.tsx'
import { Shipping } from '../components/shipping.tsx'
import { Waiting } from '../components/waiting.tsx'
import { placeOrder } from '../place-order.ts'
import { emailOf, emailProblem } from '../rules/email-problem.ts'
import { outcomeText } from '../rules/outcome-text.ts'
import { debitOf, debitProblems, type DebitProblems, methodOf } from '../rules/paid-with.ts'
import type { ScreenProps } from '../screen-props.ts'
import { texts } from '../texts.ts'

/** The order, who buys and how they pay; once it is paid, the way on. */
export function Screen({ goOn }: ScreenProps) {
  const { view } = useSession()
  const t = useText()
  if (!view) return null
  const { order, payment } = view
  if (order.status === 'paid') {
    return (
      <section>
        <h1 tabIndex={-1}>{t(texts.paid)}</h1>
        <button type="button" onClick={() => void goOn()}>
          {t(texts.goOn)}
        </button>
      </section>
    )
  }
  if (order.status === 'pending' && payment && payment.paymentMethod.type !== 'card') {
    return (
      <section>
        <h1 tabIndex={-1}>{t(texts.checkout)}</h1>
        <Lines order={order} />
        <Waiting payment={payment} goOn={goOn} />
      </section>
    )
  }
  return <CheckoutForm view={view} goOn={goOn} />
}

/** Asks who buys and how they pay, and pays. What was typed stays until the order is paid. */
function CheckoutForm({
  view: { order, customer, payment },
  goOn,
}: Pick<ScreenProps, 'goOn'> & { view: BuyerSession }) {
  const page = usePage()
  const { theme, accent } = useConfig()
  const { status, outcome } = usePay()
  const card = useCard({ appearance: { theme, variables: { colorPrimary: accent, borderRadius: '10px' } } })
  const choice = useMethods(payment?.paymentMethod.type)
  const { chosen } = choice
  const [problem, setProblem] = useState('')
  const [debitProblem, setDebitProblem] = useState<DebitProblems>({})
  const t = useText()
  const money = useMoney()
  const label = chosen === 'none' ? t(texts.placeOrder) : t(texts.pay, { amount: money(order.amount, order.currency) })
  const isPaying = status !== 'idle'
  const isReady =
    (chosen !== 'card' || card.status === 'ready') && order.lines.length > 0 && order.shipping?.optionId !== null

  async function pay(form: HTMLFormElement): Promise<void> {
    const typed = new FormData(form)
    const email = emailOf(typed)
    const debit = debitOf(typed)
    const ofEmail = emailProblem(email)
    const ofDebit = chosen === 'sepa_debit' ? debitProblems(debit) : {}
    setProblem(t(ofEmail))
    setDebitProblem(ofDebit)
    const [wrong] = [...(ofEmail ? ['email'] : []), ...Object.keys(ofDebit)]
    if (wrong) return form.querySelector<HTMLInputElement>(`#${wrong}`)?.focus()
    const paid = await placeOrder(page, email, methodOf(chosen, debit))
    if (paid.outcome === 'paid') await goOn()
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPaying) void pay(event.currentTarget)
      }}
    >
      <h1 tabIndex={-1}>{t(texts.checkout)}</h1>
      <Lines order={order} />
      <Field
        name="email"
        keyboard="email"
        label={t(texts.email)}
        complete="email"
        problem={problem}
        known={customer.email}
      />
      <Shipping order={order} />
      <Methods {...choice} card={card} problems={debitProblem} />
      <BroughtAlong />
      <p className="problem" role="alert">
        {t(outcomeText(outcome, payment?.paymentMethod.type))}
      </p>
      <PayButton label={label} isReady={isReady} />
    </form>
  )
}

/** While it pays it is not disabled: that would take the keyboard from it. */
function PayButton({ label, isReady }: { label: string; isReady: boolean }) {
  const isPaying = usePay().status !== 'idle'
  const t = useText()
  return (
    <button type="submit" className="pay" aria-disabled={isPaying} disabled={!isPaying && !isReady}>
      {isPaying ? t(texts.paying) : label}
    </button>
  )
}
