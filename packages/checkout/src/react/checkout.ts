import { createContext, createElement, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { type CardOptions, type Checkout, CheckoutError, init, type InitOptions } from '../index.ts'

/** Props of `<CheckoutProvider>`. */
export interface CheckoutProviderProps {
  /** Options of `init()`. Another key or vault starts anew; other options update the open forms. */
  options: InitOptions
  children?: ReactNode
}

/** Starts the checkout of one shop for all components below it. */
export function CheckoutProvider({ options, children }: CheckoutProviderProps): ReactNode {
  const [outcome, setOutcome] = useState<Omit<CheckoutState, 'options'>>({ checkout: null, error: null })
  const { publishableKey, vaultUrl = '', preview } = options
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
    const onChallenge = async (refusal: CheckoutError) => latest.current.onChallenge?.(refusal)
    init({ publishableKey, vaultUrl, preview, onChallenge }).then(
      (checkout) => settle({ checkout, error: null }),
      (error: CheckoutError) => settle({ checkout: null, error }),
    )
    return () => {
      isCurrent = false
    }
  }, [publishableKey, vaultUrl, preview])
  return createElement(CheckoutContext.Provider, { value: { ...outcome, options } }, children)
}

/**
 * The checkout of the nearest `<CheckoutProvider>`: `null` on a server and until it has started.
 *
 * @throws CheckoutError `argument_invalid` without a provider; and what `init()` was rejected with, so that it reaches
 *   the nearest error boundary.
 */
export function useCheckout(): Checkout | null {
  return useCheckoutState().checkout
}

/** The same with the provider's options. */
export function useCheckoutState(): CheckoutState {
  const state = useContext(CheckoutContext)
  if (!state) throw new CheckoutError('argument_invalid', 'Put a <CheckoutProvider> around this component.')
  if (state.error) throw state.error
  return state
}

/** The state of a provider. */
interface CheckoutState {
  /** `null` until `init()` has answered, and on a server. */
  checkout: Checkout | null
  /** The rejection of `init()`, or `null`. */
  error: CheckoutError | null
  /** Defaults of every card form. */
  options: CardOptions
}

/** The nearest provider's state; `null` where there is no provider. */
const CheckoutContext = createContext<CheckoutState | null>(null)
