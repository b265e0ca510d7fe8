import { createContext } from 'react'
import type { CardOptions, Checkout, CheckoutError } from '../index.ts'

/** What a provider has for the components below it. */
export interface CheckoutState {
  /** `null` until `init()` has answered, and on a server. */
  checkout: Checkout | null
  /** What `init()` was rejected with, or `null`. */
  error: CheckoutError | null
  /** What holds for every card form that does not say otherwise. */
  options: CardOptions
}

/** The nearest provider's state; `null` where there is no provider. */
export const CheckoutContext = createContext<CheckoutState | null>(null)
