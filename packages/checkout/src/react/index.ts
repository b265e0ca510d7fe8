export { Card, type CardHandle, type CardProps } from './card.ts'
export { CheckoutProvider, type CheckoutProviderProps } from './checkout-provider.ts'
export { useCheckout } from './use-checkout.ts'
