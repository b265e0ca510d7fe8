import { useState } from 'preact/hooks'
import { useFunnel } from './funnel-context.ts'

/** A button that leads on: `busy` while it does, `failed` when it could not. */
export interface Advance {
  state: 'idle' | 'busy' | 'failed'
  /** Leads on, after what has to be done first. Pressing twice leads on once. */
  advance(before?: () => Promise<unknown>): Promise<void>
}

/** Leads the buyer on from the page that is shown. */
export function useAdvance(): Advance {
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
