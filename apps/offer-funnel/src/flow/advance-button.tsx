import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useFunnel, useTexts } from './funnel-context.ts'

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

/** A button that leads on: `busy` while it does, `failed` when it could not. */
export interface Advance {
  state: 'idle' | 'busy' | 'failed'
  /** Leads on, after what has to be done first. Pressing twice leads on once. */
  advance(before?: () => Promise<unknown>): Promise<void>
}

/** Leads the buyer on from the page that is shown. */
function useAdvance(): Advance {
  const { next } = useFunnel()
  const [state, setState] = useState<Advance['state']>('idle')
  return {
    state,
    async advance(before) {
      if (state === 'busy') return
      setState('busy')
      try {
        await before?.()
        await next()
        setState('idle')
      } catch {
        setState('failed')
      }
    },
  }
}
