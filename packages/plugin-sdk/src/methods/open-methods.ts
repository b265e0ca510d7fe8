import type { PaymentMethodType } from '../api.ts'
import type { Page } from '../page.ts'
import { createStore, type Store } from '../store.ts'

/** Methods until the platform has answered, and where it does not. */
const cardAlone: readonly PaymentMethodType[] = ['card']
/** Methods that a page can have a form for. A platform newer than the page may offer more. */
const known: ReadonlySet<PaymentMethodType> = new Set(['card', 'ideal', 'paypal', 'sepa_debit', 'voucher', 'none'])

/**
 * The methods that the session's order can be paid with, in display order. Asked for again when they may have changed:
 * with the lines, the currency, the billing country, the step, and when the order starts or stops being free. Until the
 * first answer the list is `['card']`; a free order has `['none']`.
 */
export function openMethods({ pay, session }: Pick<Page, 'pay' | 'session'>): Store<readonly PaymentMethodType[]> {
  const methods = createStore(cardAlone)
  let asked = ''
  session.subscribe(ask)
  ask()
  return methods

  function ask(): void {
    const { view } = session.get()
    const { status, lines = [], currency, amount } = view?.order ?? {}
    if (!view || status !== 'open' || lines.length === 0) return // an order that is being paid is decided
    const isRecurring = lines.some(({ recurring }) => recurring)
    const facts = [currency, isRecurring, amount === 0, view.step?.id, view.customer.billingAddress?.country].join()
    if (facts === asked) return
    asked = facts
    pay.methods().then(
      (found) => {
        if (asked === facts) methods.set(found.filter((type) => known.has(type)))
      },
      () => {}, // a card is taken all the same
    )
  }
}
