import { type SessionOrder, TillwrightError } from '@tillwright/plugin-sdk'
import { useOrder, usePage } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Texts } from '../texts/languages.ts'
import { useWords } from '../texts/use-words.tsx'

/** Takes a code, and shows those that were taken with what they do. */
export function PromotionCode(): JSX.Element {
  const { order } = usePage()
  const say = useWords()
  const [isOpen, setOpen] = useState(false)
  const [code, setCode] = useState('')
  const [complaint, setComplaint] = useState<keyof Texts | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const focusField = (): void => place.current?.querySelector<HTMLElement>('input, .link')?.focus()

  async function apply(): Promise<void> {
    const wanted = code.trim()
    if (wanted === '') return focusField()
    try {
      await order.applyPromotionCode(wanted)
      setCode('')
      setComplaint(null)
    } catch (error) {
      if (!(error instanceof TillwrightError)) throw error
      setComplaint(error.param === 'code' ? 'codeUnknown' : 'failed')
    }
    focusField()
  }

  return (
    <div class="promotion" ref={place}>
      <EnteredCodes onRemoved={focusField} />
      {isOpen ? (
        <form class="code-form" noValidate onSubmit={(event) => (event.preventDefault(), void apply())}>
          <label for="code">{say('code')}</label>
          <div class="code-row">
            <input
              id="code"
              name="code"
              value={code}
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              dir="ltr"
              autoFocus
              aria-invalid={complaint !== null}
              aria-describedby={complaint === null ? undefined : 'code-complaint'}
              onInput={({ currentTarget }) => setCode(currentTarget.value)}
            />
            <button type="submit" class="quiet">
              {say('apply')}
            </button>
          </div>
          {complaint !== null && (
            <p class="complaint" id="code-complaint">
              {say(complaint)}
            </p>
          )}
        </form>
      ) : (
        <button type="button" class="link" onClick={() => setOpen(true)}>
          {say('haveCode')}
        </button>
      )}
    </div>
  )
}

/** The codes of the order. One that was taken while it does nothing says why. */
function EnteredCodes({ onRemoved }: { onRemoved: () => void }): JSX.Element {
  const page = usePage()
  const order = useOrder()
  const say = useWords()
  return (
    <ul class="codes" aria-live="polite">
      {order?.promotionCodes.map((code) => (
        <li key={code} data-applied={explainCode(code, order) === 'codeApplied'}>
          <span>{say(explainCode(code, order), { code })}</span>
          <button
            type="button"
            aria-label={say('remove', { name: code })}
            onClick={() => void page.order.removePromotionCode(code).then(onRemoved, () => {})}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  )
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
  const leftOut = promotions.leftOut.find(isIt)
  return reasons[leftOut?.clause ?? ''] ?? 'codeLeftOut'
}
