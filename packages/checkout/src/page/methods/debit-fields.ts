import { ibanFault, plainIban } from '@tillwright/contract/iban'
import type { CheckoutError, MethodField } from '../checkout-error.ts'
import { make, styles } from './looks.ts'
import type { Panel } from './options.ts'
import type { MethodTexts } from './texts.ts'

/** An input with what it has to say. */
interface Field {
  input: HTMLInputElement
  element: HTMLElement
  /** The field's present error message; `''` if the input is valid. */
  fault(): string
  /** Shows the fault, or takes it away. */
  show(fault: string): void
}

let made = 0

/** The fields of a SEPA debit: account, holder and mandate. */
export function debitFields(texts: MethodTexts, { notice, fail }: DebitListener): Panel {
  const iban = textField('IBAN', () => {
    const typed = plainIban(iban.input.value)
    if (!typed) return texts.ibanMissing
    return { form: texts.ibanForm, check_digits: texts.ibanDigits, none: '' }[ibanFault(typed) ?? 'none']
  })
  Object.assign(iban.input, { dir: 'ltr', autocomplete: 'off', autocapitalize: 'characters', maxLength: 42 })
  iban.input.onchange = () => {
    // In groups of four, as it stands on a bank's card.
    iban.input.value = plainIban(iban.input.value).replace(/.{4}(?=.)/g, '$& ')
    if (iban.input.value) iban.show(iban.fault())
  }
  const holder = textField(texts.holder, () => (holder.input.value.trim() ? '' : texts.holderMissing))
  Object.assign(holder.input, { dir: 'auto', autocomplete: 'name', maxLength: 70 })
  const mandate = agreement(texts.mandate, () => (mandate.input.checked ? '' : texts.mandateMissing))
  const fields = [
    ['iban', iban],
    ['holderName', holder],
    ['mandate', mandate],
  ] as const
  for (const [, { input, show }] of fields) {
    input.oninput = () => {
      show('')
      notice()
    }
  }
  return {
    element: make('div', '', ...fields.map(([, { element }]) => element)),
    isComplete: () => !fields.some(([, { fault }]) => fault()),
    async choice() {
      for (const [, { show, fault }] of fields) show(fault())
      const wrong = fields.find(([, { fault }]) => fault())
      if (wrong) {
        const [name, { input }] = wrong
        input.focus()
        throw fail(name, name === 'iban' && !!input.value)
      }
      const [account, holderName] = [plainIban(iban.input.value), holder.input.value.trim()]
      return { paymentMethod: { type: 'sepa_debit', iban: account, holderName, mandateAccepted: true } }
    },
  }
}

/** Callbacks of the debit form. */
interface DebitListener {
  /** Something was typed. */
  notice(): void
  /** Makes the error that names a field: one that is wrong, or one that is empty. */
  fail(field: MethodField, isWrong: boolean): CheckoutError
}

function textField(label: string, fault: () => string): Field {
  const input = make('input', styles.input)
  input.spellcheck = false
  // A ring where the page's own styles may have taken the browser's away.
  input.onfocus = () => void (input.style.outline = 'var(--focusWidth) solid var(--colorFocus)')
  input.onblur = () => void (input.style.outline = '')
  const name = make('label', styles.label, label)
  name.htmlFor = input.id = `tillwright-field-${(made += 1)}`
  return field(input, fault, name, input)
}

function agreement(text: string, fault: () => string): Field {
  const input = make('input', styles.mark)
  input.type = 'checkbox'
  return field(input, fault, make('label', styles.agreement, input, make('span', '', text)))
}

function field(input: HTMLInputElement, fault: () => string, ...inside: Node[]): Field {
  const message = make('p', styles.message)
  message.id = `tillwright-message-${(made += 1)}`
  message.setAttribute('aria-live', 'polite')
  input.setAttribute('aria-describedby', message.id)
  input.setAttribute('aria-required', 'true')
  return {
    input,
    element: make('div', styles.field, ...inside, message),
    fault,
    show(text) {
      message.textContent = text
      input.setAttribute('aria-invalid', String(!!text))
      input.style.borderColor = text ? 'var(--colorDanger)' : 'var(--colorBorder)'
    },
  }
}
