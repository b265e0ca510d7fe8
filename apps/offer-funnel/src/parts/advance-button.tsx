import type { ComponentChildren, JSX } from 'preact'
import { useTexts } from '../flow/funnel-context.ts'
import { useAdvance } from '../flow/use-advance.ts'

interface AdvanceButtonProps {
  children: ComponentChildren
  /** Awaited before the page advances. */
  before?: () => Promise<unknown>
  class?: string
  isDisabled?: boolean
}

/** The button that leads on. */
export function AdvanceButton({
  children,
  before,
  class: name = 'button',
  isDisabled = false,
}: AdvanceButtonProps): JSX.Element {
  const { state, advance } = useAdvance()
  const texts = useTexts()
  return (
    <>
      <button
        type="button"
        class={name}
        disabled={isDisabled}
        aria-busy={state === 'busy'}
        onClick={() => void advance(before)}
      >
        {children}
      </button>
      {state === 'failed' && (
        <p class="problem" role="alert">
          {texts.failed}
        </p>
      )}
    </>
  )
}
