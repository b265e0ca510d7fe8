import { createElement, useEffect, useRef, useState, type ReactNode } from 'react'
import { init, type CheckoutError, type InitOptions } from '../index.ts'
import { CheckoutContext, type CheckoutState } from './checkout-context.ts'

/** What `<CheckoutProvider>` takes. */
export interface CheckoutProviderProps {
  /** What `init()` takes. Another key or vault starts anew; other options change the open forms. */
  options: InitOptions
  children?: ReactNode
}

/** Starts the checkout of one shop for all components below it. */
export function CheckoutProvider({ options, children }: CheckoutProviderProps): ReactNode {
  const [outcome, setOutcome] = useState<Omit<CheckoutState, 'options'>>({ checkout: null, error: null })
  const { publishableKey, vaultUrl = '' } = options
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    let isCurrent = true
    const settle = (next: typeof outcome): void => {
      if (isCurrent) setOutcome(next)
    }
    // Every form checks its options itself, so that wrong ones can be corrected without a new start.
    init({ publishableKey, vaultUrl, onChallenge: async (refusal) => latest.current.onChallenge?.(refusal) }).then(
      (checkout) => settle({ checkout, error: null }),
      (error: CheckoutError) => settle({ checkout: null, error }),
    )
    return () => {
      isCurrent = false
    }
  }, [publishableKey, vaultUrl])
  return createElement(CheckoutContext.Provider, { value: { ...outcome, options } }, children)
}
