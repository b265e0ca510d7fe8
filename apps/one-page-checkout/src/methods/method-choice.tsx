import type { PaymentMethodType } from '@tillwright/plugin-sdk'
import { groupedIban } from '@tillwright/plugin-sdk/methods'
import type { JSX } from 'preact'
import { FieldNotes, noteIds } from '../form/field-notes.tsx'
import { TextField } from '../form/text-field.tsx'
import type { Form } from '../form/use-form.ts'
import { useWords } from '../texts/use-words.tsx'
import { nameOfMethod } from './use-methods.ts'

interface MethodChoiceProps {
  form: Form
  methods: readonly PaymentMethodType[]
}

/** How the buyer pays. With one method there is nothing to choose, and nothing to see. */
export function MethodChoice({ form, methods }: MethodChoiceProps): JSX.Element | null {
  const say = useWords()
  if (methods.length < 2) return null
  return (
    <fieldset class="ways">
      <legend class="visually-hidden">{say('method')}</legend>
      {methods.map((type) => (
        <label class="way" key={type}>
          <input
            type="radio"
            name="method"
            value={type}
            checked={type === form.method}
            onChange={() => form.change({ method: type })}
          />
          <span class="way-words">{nameOfMethod(type, say)}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The fields of a method other than a card, or a sentence about what happens next. */
export function MethodPanel({ form }: Pick<MethodChoiceProps, 'form'>): JSX.Element | null {
  const say = useWords()
  const { method } = form
  switch (method) {
    case 'card':
      return null
    case 'ideal':
    case 'paypal':
      return <p class="hint">{say('leads', { name: nameOfMethod(method, say) })}</p>
    case 'voucher':
      return <p class="hint">{say('codeFollows')}</p>
    case 'sepa_debit':
      return <DebitFields form={form} />
    case 'none':
      return <p class="hint">{say('none')}</p>
  }
}

/** The IBAN, its holder and the mandate. None of it is kept in the tab. */
function DebitFields({ form }: Pick<MethodChoiceProps, 'form'>): JSX.Element {
  const say = useWords()
  const { debit } = form.draft
  const complaint = form.complaintAt('mandateAccepted')
  return (
    <div class="debit">
      <TextField
        form={form}
        name="iban"
        label="IBAN"
        value={debit.iban}
        autoComplete="off"
        isRequired
        isCode
        onChange={(iban) => form.changeDebit({ iban })}
        onLeave={() => form.changeDebit({ iban: groupedIban(debit.iban) })}
      />
      <TextField
        form={form}
        name="holderName"
        label={say('holder')}
        value={debit.holderName}
        autoComplete="name"
        isRequired
        onChange={(holderName) => form.changeDebit({ holderName })}
      />
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            name="mandateAccepted"
            checked={debit.mandateAccepted}
            required
            aria-invalid={complaint !== null}
            aria-describedby={noteIds('mandateAccepted', undefined, complaint)}
            onChange={({ currentTarget }) => form.changeDebit({ mandateAccepted: currentTarget.checked })}
          />
          <span>{say('mandate')}</span>
        </label>
        <FieldNotes name="mandateAccepted" hint={undefined} complaint={complaint} />
      </div>
    </div>
  )
}
