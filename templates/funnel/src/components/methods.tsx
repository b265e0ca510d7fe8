import { useMemo, useState } from 'preact/hooks'
import type { PaymentMethodType } from '@tillwright/plugin-sdk'
import { openMethods } from '@tillwright/plugin-sdk/methods'
import { type useCard, usePage, useStore, useText } from '@tillwright/plugin-sdk/preact'
import type { DebitProblems } from '../rules/paid-with.ts'
import { texts } from '../texts.ts'
import { CardFields } from './card-fields.tsx'
import { Field } from './field.tsx'

/** The methods that the order can be paid with, and the buyer's choice. */
interface Choice {
  methods: readonly PaymentMethodType[]
  chosen: PaymentMethodType
  choose: (type: PaymentMethodType) => void
}

/** @param before The method of an earlier try: a buyer who returns from their bank finds it still chosen. */
export function useMethods(before: PaymentMethodType | undefined): Choice {
  const page = usePage()
  const methods = useStore(useMemo(() => openMethods(page), [page]))
  const [wanted, choose] = useState(before)
  return { methods, chosen: methods.find((type) => type === wanted) ?? methods[0] ?? 'card', choose }
}

interface MethodsProps extends Choice {
  card: ReturnType<typeof useCard>
  problems: DebitProblems
}

/** How the buyer pays: a choice where there is one, and what the chosen method asks for. */
export function Methods({ card, methods, chosen, choose, problems }: MethodsProps) {
  const t = useText()
  return (
    <fieldset className="choice">
      <legend>{t(methods.length > 1 ? texts.payment : texts[chosen])}</legend>
      {methods.length > 1 &&
        methods.map((type) => (
          <label key={type}>
            <input type="radio" name="method" checked={type === chosen} onChange={() => choose(type)} />
            <span>{t(texts[type])}</span>
          </label>
        ))}
      {/* Another method hides the card form and leaves it there, so that what was typed is not lost. */}
      <div hidden={chosen !== 'card'}>
        <CardFields card={card} />
      </div>
      {(chosen === 'ideal' || chosen === 'paypal') && <p>{t(texts.leadsAway)}</p>}
      {chosen === 'voucher' && <p>{t(texts.codeFollows)}</p>}
      {chosen === 'sepa_debit' && <DebitFields problems={problems} />}
    </fieldset>
  )
}

/** The IBAN, its holder and the mandate. */
function DebitFields({ problems: { iban, holderName, mandateAccepted } }: { problems: DebitProblems }) {
  const t = useText()
  return (
    <>
      <Field name="iban" keyboard="text" label="IBAN" complete="off" problem={t(iban)} />
      <Field name="holderName" keyboard="text" label={t(texts.holder)} complete="name" problem={t(holderName)} />
      <label>
        <input
          type="checkbox"
          id="mandateAccepted"
          name="mandateAccepted"
          aria-invalid={mandateAccepted !== undefined}
          aria-describedby="mandateAccepted-problem"
        />
        <span>{t(texts.mandate)}</span>
      </label>
      <p className="problem" id="mandateAccepted-problem">
        {t(mandateAccepted)}
      </p>
    </>
  )
}
