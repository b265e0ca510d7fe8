import { groupedIban } from '@tillwright/plugin-sdk/methods'
import { useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useTexts } from '../flow/funnel-context.ts'
import { Field } from '../parts/field.tsx'
import type { CheckoutWork } from './use-checkout.ts'
import { type Methods, nameOfMethod } from './use-methods.ts'

/** How the buyer pays: a choice where there is one, and what the chosen method asks for. */
export function MethodPart({ card, methods }: Pick<CheckoutWork, 'card' | 'methods'>): JSX.Element {
  const texts = useTexts()
  const isCard = methods.chosen === 'card'
  return (
    <fieldset class="methods">
      <legend>{texts.card}</legend>
      {methods.types.length > 1 && <Choice methods={methods} />}
      {/* Another method hides it and leaves it there, so that what was typed is not lost. */}
      <div class={`card card-${card.status}`} ref={card.ref} hidden={!isCard} />
      {isCard && card.status === 'failed' && (
        <p class="problem" role="alert">
          {texts.cardFailed}{' '}
          <button type="button" class="link" onClick={card.retry}>
            {texts.reload}
          </button>
        </p>
      )}
      <MethodPanel methods={methods} />
    </fieldset>
  )
}

function Choice({ methods: { types, chosen, choose } }: { methods: Methods }): JSX.Element {
  const texts = useTexts()
  return (
    <div class="choices">
      {types.map((type) => (
        <label key={type}>
          <input type="radio" name="method" value={type} checked={type === chosen} onChange={() => choose(type)} />
          <span>{nameOfMethod(type, texts)}</span>
        </label>
      ))}
    </div>
  )
}

/** The fields of a method other than a card, or a sentence about what happens next. */
function MethodPanel({ methods }: { methods: Methods }): JSX.Element | null {
  const t = useText()
  const texts = useTexts()
  const { chosen } = methods
  switch (chosen) {
    case 'card':
      return null
    case 'ideal':
    case 'paypal':
      return <p class="muted">{t(texts.leads, { name: nameOfMethod(chosen, texts) })}</p>
    case 'voucher':
      return <p class="muted">{texts.codeFollows}</p>
    case 'sepa_debit':
      return <DebitPart methods={methods} />
    case 'none':
      return <p class="muted">{texts.none}</p>
  }
}

/** The IBAN, its holder and the mandate. */
function DebitPart({ methods: { debit, problems, typeDebit } }: { methods: Methods }): JSX.Element {
  const texts = useTexts()
  const { iban, holderName, mandateAccepted } = problems
  const ibanTexts = { missing: texts.missing, form: texts.ibanForm, check_digits: texts.ibanDigits }
  return (
    <>
      <Field
        name="iban"
        label="IBAN"
        value={debit.iban}
        problem={iban === undefined ? '' : ibanTexts[iban]}
        autocomplete="off"
        isCode
        onValue={(typed) => typeDebit({ iban: typed })}
        onLeave={() => typeDebit({ iban: groupedIban(debit.iban) })}
      />
      <Field
        name="holderName"
        label={texts.holder}
        value={debit.holderName}
        problem={holderName === undefined ? '' : texts.missing}
        autocomplete="name"
        onValue={(typed) => typeDebit({ holderName: typed })}
      />
      <div class="field">
        <label class="mandate">
          <input
            type="checkbox"
            name="mandateAccepted"
            checked={debit.mandateAccepted}
            aria-invalid={mandateAccepted !== undefined}
            aria-describedby={mandateAccepted === undefined ? undefined : 'mandate-problem'}
            onChange={({ currentTarget }) => typeDebit({ mandateAccepted: currentTarget.checked })}
          />
          <span>{texts.mandate}</span>
        </label>
        {mandateAccepted !== undefined && (
          <p class="problem" id="mandate-problem">
            {texts.mandateNeeded}
          </p>
        )}
      </div>
    </>
  )
}
