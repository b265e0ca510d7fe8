import { useContext } from 'react'
import { CheckoutError, type Checkout } from '../index.ts'
import { CheckoutContext, type CheckoutState } from './checkout-context.ts'

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
