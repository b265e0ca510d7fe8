export { byteOperations } from './byte-operations.ts'
export { pageSecurity, type PageSecurity } from './resources/page-security.ts'
export { contract, type Contract } from './contract.ts'
export { countryNumber } from './countries.ts'
export { currencyExponent, currencyExponents } from './currencies.ts'
export { currencyNumber, currencyOfNumber } from './currencies.ts'
export { errorKinds, isErrorCode, type ErrorClass, type ErrorCode, type ErrorType } from './errors.ts'
export { errorBody, type ErrorBody, type ErrorIssue } from './error-body.ts'
export { errorFixes, errorMeanings } from './errors.ts'
export { exampleOf } from './examples.ts'
export { exampleProperties } from './examples.ts'
export { namedEventTypes } from './resources/administration-events.ts'
export { eventTypes, type EventProperties, type EventType } from './resources/event-types.ts'
export { BASE62, exampleId, idPrefixes, type IdPrefix, IDS_END_MS, idsFrom, timeOfId } from './ids.ts'
export { countValues } from './free-form.ts'
export * from './limits.ts'
export { configFormats, type ConfigFormat } from './manifest/config-formats.ts'
export { deploymentManifest, type DefaultPreset } from './manifest/deployment-manifest.ts'
export { PLUGIN_FILE, pluginFile, type PluginFile } from './manifest/plugin-file.ts'
export { pluginFileSchema } from './manifest/plugin-file.ts'
export { paramOf, routeParams, type FeatureRequirement, type PluginPage } from './manifest/plugin-page.ts'
export { openApi } from './openapi/openapi.ts'
export type { Components, DescribedOperation, OpenApiDocument, Parameter } from './openapi/document.ts'
export {
  bodyLimitsOf,
  isReadById,
  pageAudiences,
  type Audience,
  type CallOf,
  type EntryOf,
  type FiltersOf,
  type Operation,
  type RequestOf,
  type ResponseOf,
} from './operation.ts'
export { baseHref } from './pages/documents.ts'
export { injectData } from './pages/documents.ts'
export { matchPage, type MatchedPage } from './pages/paths.ts'
export { googlePaySources, pageHeaders } from './pages/page-policy.ts'
export { filePolicy, pagePolicy, type InlineSources, type PageOrigins } from './pages/page-policy.ts'
export { pathBelow, readPath } from './pages/paths.ts'
export { asksForServiceWorker, withoutServiceWorker } from './pages/service-worker.ts'
export { canNameStore, roleAllows, rolesWith, scopesOfRole, storeFields } from './member-roles.ts'
export { pageFields } from './page-fields.ts'
export { assetPath, hostPathOf } from './paths.ts'
export { resolveSchema, type JsonSchema } from './examples.ts'
export type { Member, MemberSession, MemberUpdate, NewMember, SignInMethod } from './resources/members.ts'
export { memberRole, memberRoles, type MemberRole, signInMethod } from './resources/members.ts'
export { roles, type Account, type Environment, type Role } from './resources/accounts.ts'
export type { ApiKey, NewApiKeyBody } from './resources/api-keys.ts'
export type { AvailableThreedsProvider } from './resources/threeds-providers.ts'
export type { Processor, ProcessorCheck, ProcessorHealth } from './resources/processors.ts'
export type { WebhookEndpoint } from './resources/webhook-endpoints.ts'
export type { AuditEntry } from './resources/audit.ts'
export {
  type KeptKind,
  type PlatformAlert,
  platformAlerts,
  type PlatformQueue,
  platformQueues,
  type PlatformState,
} from './resources/platform.ts'
export type { FailedRequest } from './resources/requests.ts'
export type { BuyerSession, SessionOrder, SessionPay, SessionPayment } from './resources/buyer-sessions.ts'
export type { NewBuyerSession } from './resources/buyer-sessions.ts'
export type { CardToken } from './resources/card-tokens.ts'
export type { SecurityCodeToken } from './resources/card-tokens.ts'
export type { Dispute, DisputeEvidence, DisputeKind, DisputeStatus, SimulatedDispute } from './resources/disputes.ts'
export type { Address as BillingAddress } from './resources/customers.ts'
export {
  attemptChecks,
  type AttemptChecks,
  attemptExemption,
  type AttemptExemption,
  type AttemptFee,
  type CheckResult,
  type ExemptionResult,
  leadsAway,
  type MethodOffer,
  type NewPaymentMethod,
  paymentMethodType,
  type PaymentMethodType,
  type ShownPaymentMethod,
  type ScaExemption,
  scaExemption,
  type VoucherInstructions,
} from './resources/payment-methods.ts'
export type { CreatedCustomer, CustomerData, CustomerRecord } from './resources/customers.ts'
export { keptReasons, remainders } from './resources/privacy.ts'
export type { BegunErasure, CustomerErasure, KeptReason, Remainder } from './resources/privacy.ts'
export type { NewUsageRecord, UsageRecord } from './resources/subscriptions.ts'
export { processorTokenStatus } from './resources/payment-instruments.ts'
export { retryDaysOf } from './resources/stores.ts'
export type { CreatedPaymentInstrument } from './resources/payment-instruments.ts'
export type {
  DeploymentState,
  ManagedDeployment,
  PreviewUpdate,
  StorePlugin,
} from './resources/deployment-management.ts'
export type { DeploymentAlias } from './resources/plugin-aliases.ts'
export type { DomainCheck, DomainPromotion, DomainRoute } from './resources/domain-routes.ts'
export type { AccountStatistics, StatisticsQuery } from './resources/statistics.ts'
export type { EventLogQuery, EventStreamQuery, EventTrigger, TriggeredEvent } from './resources/events.ts'
export type { Event, EventStatistics, StatisticsFilter } from './resources/events.ts'
export type { FunnelSession, NewPreviewSession, TestCardPreset, ThreedsPreset } from './resources/funnel-sessions.ts'
export {
  newFunnel,
  type Funnel,
  type FunnelStep,
  type FunnelUpdate,
  type FunnelVariant,
  type NewFunnel,
  type NewFunnelInput,
  stepTypes,
} from './resources/funnels.ts'
export type {
  AppliedPromotion,
  Lack,
  LackCode,
  LeftOutClause,
  LeftOutPromotion,
  OrderPromotions,
} from './resources/order-promotions.ts'
export type { Recovery } from './resources/recoveries.ts'
export type { Order, OrderBuyer, OrderLine, OrderStatus } from './resources/orders.ts'
export { booking, ledgerAccount } from './resources/ledger.ts'
export { type FlowReplay, type NewFlowReplay, routingRules, type RoutingRules } from './resources/flow-replays.ts'
export {
  abuseDetectionConfig,
  newPaymentFlow,
  type NewPaymentFlow,
  type PaymentFlow,
  type PaymentFlowChange,
  type ProcessorConfig,
} from './resources/payment-flows.ts'
export type { InstrumentFromToken, PaymentInstrument } from './resources/payment-instruments.ts'
export { type ExemptionPolicy, type ExemptionReason, type ScaDecision } from './resources/exemptions.ts'
export type { AuthenticationType, ChallengePreference, RecurringInfo } from './resources/threeds-series.ts'
export type { NewThreedsAuthentication } from './resources/threeds-authentications.ts'
export type {
  AttemptOutcomeName,
  DeclineCode,
  DropReason,
  PaymentAttempt,
  Stickiness,
} from './resources/payment-attempts.ts'
export type { AbuseLimit, PaymentRouting, RoutingStop } from './resources/payment-attempts.ts'
export type {
  Capture,
  CaptureMethod,
  PostAuthorizationFailure,
  PostAuthorizationStatus,
  NewCapture,
  NewRefund,
  Refund,
} from './resources/captures-and-refunds.ts'
export { newPayment, type NewPayment } from './resources/new-payment.ts'
export type { Payment, PaymentStatus } from './resources/payments.ts'
export type { InlineAsset, NewAssets } from './resources/plugin-assets.ts'
export type { NewDeployment, PluginDeployment } from './resources/plugin-deployments.ts'
export type { PluginManifest, PluginMode } from './resources/plugin-manifests.ts'
export type { ConfigSync, SettingsUpdate, TemplatesSync } from './resources/plugin-settings.ts'
export type { PromotionAction } from './resources/promotion-actions.ts'
export type { PromotionRule } from './resources/promotion-actions.ts'
export {
  endsAfterStart,
  newPromotion,
  type NewPromotion,
  type NewPromotionInput,
  type Promotion,
  type PromotionChange,
  type PromotionSummary,
} from './resources/promotions.ts'
export type { NewQuote, Quote } from './resources/orders.ts'
export {
  newPrice,
  newProduct,
  type NewProduct,
  type NewProductInput,
  type Price,
  type Product,
  type Variant,
} from './resources/products.ts'
export { hookAnswers, hookKind, hookQuestion } from './resources/hook-answers.ts'
export type {
  HookAnswerOf,
  HookKind,
  HookLine,
  HookQuestion,
  StockAnswer,
  TaxAnswer,
} from './resources/hook-answers.ts'
export type { Hook, HookFailure, HookFailureRule, OrderHook } from './resources/hooks.ts'
export {
  newShippingOptions,
  type NewShippingOption,
  type NewShippingOptions,
  type NewShippingOptionsInput,
  type SessionShipping,
  type ShippingOption,
} from './resources/shipping-options.ts'
export type {
  PaymentSubscription,
  Recurrence,
  Subscription,
  SubscriptionStatus,
  SubscriptionUpdate,
} from './resources/subscriptions.ts'
export { newStore, type NewStore, type Store } from './resources/stores.ts'
export { transStatus, type ThreedsAuthentication, type TransStatus } from './resources/threeds-authentications.ts'
export type {
  BrowserAuthentication,
  BrowserData,
  ThreedsResult,
  ThreedsStart,
  ThreedsStep,
} from './resources/threeds-frames.ts'
export type { ThreedsOutcome } from './resources/threeds-authentications.ts'
export type { ThreedsSessionDetails } from './resources/threeds-session-details.ts'
export type {
  NewThreedsSession,
  ThreedsProviderName,
  ThreedsSession,
  ThreedsStatus,
} from './resources/threeds-sessions.ts'
export { memberScopes, scopes, type Scope } from './scopes.ts'
export { webhookPayload, WEBHOOK_DATA_MAX_BYTES, type WebhookPayload } from './resources/events.ts'
export { type RefundRequest, refundRequestStatus } from './resources/refund-approvals.ts'
export { captureMethod, postAuthorizationFailure, postAuthorizationStatus } from './resources/captures-and-refunds.ts'
export { disputeKind, disputeStatus, SIMULATED_DISPUTE_MS } from './resources/disputes.ts'
export { orderStatus } from './resources/orders.ts'
export { attemptOutcome, attemptStatus } from './resources/payment-attempts.ts'
export { cardFunding, cardSegment, walletName, type WalletName } from './resources/payment-instruments.ts'
export type { PageWallets, WalletToken } from './resources/wallets.ts'
export { paymentStatus } from './resources/payments.ts'
export { pluginMode } from './resources/plugin-manifests.ts'
export { subscriptionStatus } from './resources/subscriptions.ts'
export { threedsProvider, threedsStatus } from './resources/threeds-sessions.ts'
export { type Fault, faults } from './faults.ts'
export { testTokens, type TestToken } from './test-tokens.ts'
