export type {
  Address,
  BuyerSession,
  NextStep,
  PaymentStatus,
  SessionCard,
  SessionCustomer,
  SessionPayment,
  SessionPreview,
  SessionStep,
} from './api/buyer-session.ts'
export type {
  AppliedPromotion,
  LeftOutPromotion,
  LineRef,
  OrderLine,
  Recurrence,
  SessionOrder,
  SessionShipping,
  ShippingOption,
  WantedLine,
} from './api/session-order.ts'
export type { Addresses, Contact, CustomerStore } from './customer/open-customer.ts'
export type { OrderStore } from './order/open-order.ts'
export type { Navigate } from './page/go-on.ts'
export { openPage, type OpenPageOptions, type Page } from './page/open-page.ts'
export type { CurrentPage, PageData, PluginConfig, Templates } from './page/page-data.ts'
export type { Surroundings } from './page/surroundings.ts'
export type {
  Appearance,
  CardEvents,
  CardForm,
  CardOptions,
  Checkout,
  CheckoutScript,
  SavedCard,
} from './pay/checkout.ts'
export type { Pay, PayState, ShownSum } from './pay/pay.ts'
export type { PayOutcome } from './pay/pay-outcome.ts'
export type { Receipt } from './session/kept-session.ts'
export type { SessionStore } from './session/open-session.ts'
export type { SessionState } from './session/session-state.ts'
export type { Store } from './store.ts'
export { directionOf } from './text/direction-of.ts'
export { formatMoney } from './text/format-money.ts'
export type { LocaleStore } from './text/open-locale.ts'
export { translate, type Translation } from './text/translate.ts'
export { TillwrightError, type PageErrorCode, type TillwrightErrorDetails } from './tillwright-error.ts'
