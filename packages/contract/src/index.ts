export { contract, type Contract } from './contract.ts'
export { currencyExponent } from './currencies.ts'
export {
  errorBody,
  errorKinds,
  isErrorCode,
  type ErrorBody,
  type ErrorClass,
  type ErrorCode,
  type ErrorIssue,
  type ErrorType,
} from './errors.ts'
export { errorMeanings } from './error-meanings.ts'
export { exampleOf } from './example-of.ts'
export { eventTypes, type EventProperties, type EventType } from './event-types.ts'
export { idPrefixes, type IdPrefix } from './ids.ts'
export * from './limits.ts'
export { openApi, type OpenApiDocument } from './openapi.ts'
export { resolveSchema, type JsonSchema } from './resolve-schema.ts'
export type { Audience, CallOf, Operation, RequestOf, ResponseOf, Scope } from './operation.ts'
export type { Environment, Role } from './resources/accounts.ts'
export type { CardToken } from './resources/card-tokens.ts'
export type { CreatedCustomer, CustomerData } from './resources/customers.ts'
export type { Event, EventStatistics, StatisticsFilter } from './resources/events.ts'
export type { Order, OrderLine, OrderStatus } from './resources/orders.ts'
export {
  newPaymentFlow,
  type NewPaymentFlow,
  type PaymentFlow,
  type ProcessorConfig,
} from './resources/payment-flows.ts'
export type { InstrumentFromToken, PaymentInstrument } from './resources/payment-instruments.ts'
export type { NewPayment, Payment, PaymentAttempt, PaymentStatus } from './resources/payments.ts'
export {
  newProduct,
  type NewProduct,
  type NewProductInput,
  type Price,
  type Product,
  type Variant,
} from './resources/products.ts'
export { newStore, type NewStore, type Store } from './resources/stores.ts'
export { webhookPayload, WEBHOOK_DATA_MAX_BYTES, type WebhookPayload } from './resources/webhooks.ts'
