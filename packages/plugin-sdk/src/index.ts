export type {
  Address,
  AppliedPromotion,
  BuyerSession,
  LeftOutPromotion,
  LineRef,
  NextStep,
  OrderLine,
  OtherMethod,
  PaymentMethodType,
  PaymentStatus,
  Recurrence,
  SessionCard,
  SessionCustomer,
  SessionOrder,
  SessionPayment,
  SessionPreview,
  SessionShipping,
  SessionStep,
  ShippingOption,
  WantedLine,
} from './api.ts'
export type { Appearance, CardEvents, CardForm, CardOptions, Checkout, CheckoutScript, SavedCard } from './checkout.ts'
export type { Addresses, Contact, CustomerStore } from './customer.ts'
export type { OrderStore } from './order.ts'
export type { CurrentPage, PageData, PluginConfig, Templates } from './page-data.ts'
export { openPage, type OpenPageOptions, type Page } from './page.ts'
export type { Pay, PayOutcome, PayState, ShownSum } from './pay/pay.ts'
export type { Receipt, SessionState, SessionStore } from './session/index.ts'
export type { Store } from './store.ts'
export type { Environment } from './environment.ts'
export { directionOf, formatMoney, formatPeriod, type LocaleStore, translate, type Translation } from './text.ts'
export { type PageErrorCode, TillwrightError, type TillwrightErrorDetails } from './tillwright-error.ts'
export type { Navigate } from './navigation.ts'
