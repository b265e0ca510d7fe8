import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useOrder, useText } from '@tillwright/plugin-sdk/preact'
import { explainCode } from '../checkout/explain-code.ts'
import { usePromotionCode } from '../checkout/use-promotion-code.ts'
import { useTexts } from '../flow/funnel-context.ts'
import { Field } from './field.tsx'

/** Takes a code, and shows those that were taken with what they do. */
export function PromotionCode(): JSX.Element {
  const { typed, problem, entered, type, apply, remove } = usePromotionCode()
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const texts = useTexts()
  const focusField = () => place.current?.querySelector('input')?.focus()
  return (
    <div class="promotion" ref={place}>
      <EnteredCodes codes={entered} onRemove={(code) => void remove(code).then(focusField)} />
      {isOpen ? (
        <form
          class="code-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void apply().then(focusField)
          }}
        >
          <Field
            label={texts.code}
            name="promotion-code"
            value={typed}
            problem={problem === null ? '' : texts[problem]}
            onValue={type}
            autocomplete="off"
            isFocused
          />
          <button class="quiet">{texts.apply}</button>
        </form>
      ) : (
        <button type="button" class="link" onClick={() => setOpen(true)}>
          {texts.haveCode}
        </button>
      )}
    </div>
  )
}

interface EnteredCodesProps {
  codes: readonly string[]
  onRemove: (code: string) => void
}

/** The codes of the order; one that does nothing says why. */
function EnteredCodes({ codes, onRemove }: EnteredCodesProps): JSX.Element {
  const order = useOrder()
  const t = useText()
  const texts = useTexts()
  return (
    <ul class="codes" aria-live="polite">
      {order !== null &&
        codes.map((code) => (
          <li key={code} data-applied={explainCode(code, order) === 'codeApplied'}>
            <span>{t(texts[explainCode(code, order)], { code })}</span>
            <button type="button" aria-label={t(texts.removeCode, { code })} onClick={() => onRemove(code)}>
              ×
            </button>
          </li>
        ))}
    </ul>
  )
}
