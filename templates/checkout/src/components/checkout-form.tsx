import { useState } from 'preact/hooks'
import type { SessionOrder } from '@tillwright/plugin-sdk'
import { useCard, useConfig, useMoney, usePage, usePay, useText } from '@tillwright/plugin-sdk/preact'
import { goOn } from '../go-on.ts'
import { placeOrder } from '../place-order.ts'
import { contactOf, contactProblems, type Contact, type ContactProblems } from '../rules/contact-problems.ts'
import { outcomeText } from '../rules/outcome-text.ts'
import { texts } from '../texts.ts'
import { BroughtAlong } from './brought-along.tsx'
import { CardFields } from './card-fields.tsx'
import { Field } from './field.tsx'
import { Shipping } from './shipping.tsx'

/** Asks who buys and for the card, and pays. What was typed stays until the order is paid. */
export function CheckoutForm({ order }: { order: SessionOrder }) {
  const page = usePage()
  const { theme, accent } = useConfig()
  const { status, outcome } = usePay()
  const card = useCard({ appearance: { theme, variables: { colorPrimary: accent, borderRadius: '10px' } } })
  const [problems, setProblems] = useState<ContactProblems>({})
  const t = useText()
  const money = useMoney()
  const isPaying = status !== 'idle'
  const isReady = card.status === 'ready' && order.shipping?.optionId !== null
  const problem = (name: keyof Contact) => t(problems[name])

  async function pay(form: HTMLFormElement): Promise<void> {
    const contact = contactOf(new FormData(form))
    const found = contactProblems(contact)
    setProblems(found)
    const [wrong] = Object.keys(found)
    if (wrong) return form.querySelector<HTMLInputElement>(`#${wrong}`)?.focus()
    const paid = await placeOrder(page, contact)
    if (paid.outcome === 'paid') await goOn(page)
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void pay(event.currentTarget)
      }}
    >
      <fieldset>
        <legend>{t(texts.contact)}</legend>
        <Field name="email" keyboard="email" label={t(texts.email)} complete="email" problem={problem('email')} />
        <div className="pair">
          <Field
            name="firstName"
            keyboard="text"
            label={t(texts.firstName)}
            complete="given-name"
            problem={problem('firstName')}
          />
          <Field
            name="lastName"
            keyboard="text"
            label={t(texts.lastName)}
            complete="family-name"
            problem={problem('lastName')}
          />
        </div>
      </fieldset>
      <Shipping order={order} />
      <CardFields card={card} />
      <BroughtAlong />
      <p className="problem" role="alert">
        {t(outcomeText(outcome))}
      </p>
      <button type="submit" className="pay" disabled={isPaying || !isReady}>
        {isPaying ? t(texts.paying) : t(texts.pay, { amount: money(order.amount, order.currency) })}
      </button>
    </form>
  )
}
