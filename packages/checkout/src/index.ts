export type { BrandFilter } from './card/accepts-brand.ts'
export type { SavedCard } from './card/saved-card.ts'
export type { CardBrand, CardChange, CardEvents } from './page/card-events.ts'
export type { CardElement } from './page/card-element.ts'
export { CheckoutError, type CheckoutErrorCode } from './page/checkout-error.ts'
export { init, type Checkout } from './page/init.ts'
export type { OnChallenge } from './page/options.ts'
export type { CardOptions, InitOptions } from './page/options.ts'
export type {
  ChosenMethod,
  MethodsChange,
  MethodsChoice,
  MethodsOptions,
  MethodsSum,
  PaymentMethods,
} from './page/methods/options.ts'
export type { AuthenticateOptions } from './page/threeds/authenticate.ts'
export type { Authentication } from './page/threeds/frame.ts'
export type { ChosenCard, TokenizedCard, TypedCard } from './page/tokenizer.ts'
export type { WalletAmount, WalletName, WalletPayment, Wallets, WalletsOptions } from './page/wallets/options.ts'
export type { Appearance } from './wire/index.ts'
export type { WindowSize } from './wire/index.ts'
export type { ThreedsOutcome, ThreedsStep } from './wire/index.ts'
