export { Card, type CardHandle, type CardProps } from './card.ts'
export { CheckoutProvider, type CheckoutProviderProps } from './checkout.ts'
export { useCheckout } from './checkout.ts'
