import { type SessionOrder, TillwrightError } from '@tillwright/plugin-sdk'
import { useOrder, usePage, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useTexts } from '../flow/funnel-context.ts'
import { Field } from '../parts/field.tsx'
import type { Texts } from '../texts/en.ts'

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

/** The code that a buyer types, and those of the order. */
export interface PromotionCodes {
  typed: string
  /** The problem with the entered code, as a key of the texts, or `null`. */
  problem: keyof Texts | null
  entered: readonly string[]
  type(code: string): void
  /** Submits the entered code, and sets `problem` if it is refused. */
  apply(): Promise<void>
  /** Takes a code out. */
  remove(code: string): Promise<void>
}

/** Enters codes into the order and takes them out. */
function usePromotionCode(): PromotionCodes {
  const { order } = usePage()
  const shown = useOrder()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<PromotionCodes['problem']>(null)
  return {
    typed,
    problem,
    entered: shown?.promotionCodes ?? [],
    type(code) {
      setTyped(code)
      setProblem(null)
    },
    async apply() {
      const code = typed.trim()
      if (code === '') return
      try {
        await order.applyPromotionCode(code)
        setTyped('')
        setProblem(null)
      } catch (error) {
        setProblem(error instanceof TillwrightError && error.param === 'code' ? 'codeUnknown' : 'failed')
      }
    },
    async remove(code) {
      await order.removePromotionCode(code).catch(() => setProblem('failed'))
    },
  }
}

/** Why a code does not reduce the order, where a buyer can make something of it. */
const reasons: Readonly<Record<string, keyof Texts>> = {
  ended: 'codeEnded',
  archived: 'codeEnded',
  disabled: 'codeEnded',
  usage_limit: 'codeEnded',
  not_started: 'codeNotYet',
  combination: 'codeCombination',
}

/** The effect of an entered promotion code, as a key of the texts. Codes are case-insensitive. */
export function explainCode(code: string, { promotions }: Pick<SessionOrder, 'promotions'>): keyof Texts {
  const isIt = (promotion: { code: string | null }): boolean => promotion.code?.toUpperCase() === code.toUpperCase()
  if (promotions.applied.some(isIt)) return 'codeApplied'
  return reasons[promotions.leftOut.find(isIt)?.clause ?? ''] ?? 'codeLeftOut'
}
