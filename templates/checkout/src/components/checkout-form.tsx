import { useState } from 'preact/hooks'
import type { BuyerSession } from '@tillwright/plugin-sdk'
import { useCard, useConfig, useMoney, usePage, usePay, useText } from '@tillwright/plugin-sdk/preact'
import { goOn } from '../go-on.ts'
import { placeOrder } from '../place-order.ts'
import { contactOf, contactProblems, type Contact, type ContactProblems } from '../rules/contact-problems.ts'
import { outcomeText } from '../rules/outcome-text.ts'
import { debitOf, debitProblems, type DebitProblems, methodOf } from '../rules/paid-with.ts'
import { texts } from '../texts.ts'
import { BroughtAlong } from './brought-along.tsx'
import { Field } from './field.tsx'
import { Methods, useMethods } from './methods.tsx'
import { Shipping } from './shipping.tsx'

/** Asks who buys and how they pay, and pays. What was typed stays until the order is paid. */
export function CheckoutForm({ view: { order, customer, payment } }: { view: BuyerSession }) {
  const page = usePage()
  const { theme, accent } = useConfig()
  const { status, outcome } = usePay()
  const card = useCard({ appearance: { theme, variables: { colorPrimary: accent, borderRadius: '10px' } } })
  const choice = useMethods(payment?.paymentMethod.type)
  const { chosen } = choice
  const [problems, setProblems] = useState<ContactProblems & DebitProblems>({})
  const t = useText()
  const money = useMoney()
  const amount = money(order.amount, order.currency)
  const label = chosen === 'none' ? t(texts.placeOrder) : t(texts.pay, { amount })
  const isPaying = status !== 'idle'
  const isReady = (chosen !== 'card' || card.status === 'ready') && order.shipping?.optionId !== null

  async function pay(form: HTMLFormElement): Promise<void> {
    const typed = new FormData(form)
    const contact = contactOf(typed)
    const debit = debitOf(typed)
    const found = { ...contactProblems(contact), ...(chosen === 'sepa_debit' && debitProblems(debit)) }
    setProblems(found)
    const [wrong] = Object.keys(found)
    if (wrong) return form.querySelector<HTMLInputElement>(`#${wrong}`)?.focus()
    const paid = await placeOrder(page, contact, methodOf(chosen, debit))
    if (paid.outcome === 'paid') await goOn(page)
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPaying) void pay(event.currentTarget)
      }}
    >
      <ContactFields known={customer} problems={problems} />
      <Shipping order={order} />
      <Methods {...choice} card={card} problems={problems} />
      <BroughtAlong />
      <p className="problem" role="alert">
        {t(outcomeText(outcome, payment?.paymentMethod.type))}
      </p>
      {/* While it pays it is not disabled: that would take the keyboard from it. */}
      <button type="submit" className="pay" aria-disabled={isPaying} disabled={!isPaying && !isReady}>
        {isPaying ? t(texts.paying) : label}
      </button>
    </form>
  )
}

/** The buyer's contact details, prefilled where known. */
function ContactFields({ known, problems }: { known: Contact; problems: ContactProblems }) {
  const t = useText()
  return (
    <fieldset>
      <legend>{t(texts.contact)}</legend>
      <Field
        name="email"
        keyboard="email"
        label={t(texts.email)}
        complete="email"
        problem={t(problems.email)}
        known={known.email}
      />
      <div className="pair">
        <Field
          name="firstName"
          keyboard="text"
          label={t(texts.firstName)}
          complete="given-name"
          problem={t(problems.firstName)}
          known={known.firstName}
        />
        <Field
          name="lastName"
          keyboard="text"
          label={t(texts.lastName)}
          complete="family-name"
          problem={t(problems.lastName)}
          known={known.lastName}
        />
      </div>
    </fieldset>
  )
}
