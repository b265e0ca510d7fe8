import type { NewPaymentMethod, PaymentMethodType } from '@tillwright/contract'
import type { MethodField } from '../checkout-error.ts'
import type { PartCore } from '../part-core.ts'
import { debitFields } from './debit-fields.ts'
import { make, styles } from './looks.ts'
import type { MethodsOptions, Panel } from './options.ts'
import type { MethodTexts } from './texts.ts'

/** Context shared by the panels of one element. */
export interface PanelPlace {
  texts: MethodTexts
  options: MethodsOptions
  core: PartCore
  /** Called when what is typed has changed. */
  notice: () => void
}

/** The name of a method and what makes its panel; nothing for a method that this release does not know. */
export function panelOf(type: PaymentMethodType, place: PanelPlace): { name: string; panel: () => Panel } | undefined {
  const { texts, core, notice } = place
  const leads = (name: string, method: NewPaymentMethod) => ({
    name,
    panel: () => sentence(texts.leads.replace('{}', name), method),
  })
  const fail = (field: MethodField, isWrong: boolean) =>
    new core.CheckoutError(isWrong ? 'method_invalid' : 'method_incomplete', `The buyer has to correct ${field}.`, {
      field,
    })
  const known: Partial<Record<PaymentMethodType, ReturnType<typeof panelOf>>> = {
    card: { name: texts.card, panel: () => cardPanel(place) },
    ideal: leads('iDEAL', { type: 'ideal' }),
    paypal: leads('PayPal', { type: 'paypal' }),
    sepa_debit: { name: texts.sepaDebit, panel: () => debitFields(texts, { notice, fail }) },
    voucher: { name: texts.voucher, panel: () => sentence(texts.codeFollows, { type: 'voucher' }) },
  }
  return known[type]
}

/** A method that asks for nothing says what will happen. */
function sentence(text: string, paymentMethod: NewPaymentMethod): Panel {
  return {
    element: make('p', styles.hint, text),
    isComplete: () => true,
    choice: async () => ({ paymentMethod }),
  }
}

/** The card form in its frame, mounted when it is chosen, and again when it is chosen after it went away. */
function cardPanel({ options, core, notice }: PanelPlace): Panel {
  const element = make('div', styles.card)
  const card = core.card(options.card)
  let isComplete = false
  let isMounted = false
  card.on('change', ({ complete }) => {
    isComplete = complete
    notice()
  })
  // As Enter in a field of the page does: while the button is disabled, such as during a payment, nothing.
  card.on('submit', () => {
    const form = element.closest('form')
    const button = form?.querySelector<HTMLElement>('button:not([type=button]),input[type=submit]')
    if (button) button.click()
    else form?.requestSubmit()
  })
  for (const event of ['loaderror', 'error'] as const) {
    card.on(event, (error) => {
      isComplete = false
      notice()
      options.onError?.(error)
    })
  }
  return {
    element,
    isComplete: () => isComplete,
    choice: () => card.tokenize(),
    open() {
      if (isMounted) return card.retry()
      card.mount(element)
      isMounted = true
    },
    close: () => card.destroy(),
  }
}
