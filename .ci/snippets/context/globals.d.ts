import type * as checkoutPackage from '@tillwright/checkout'
import type * as clientPackage from '@tillwright/client'
import type * as sdkPackage from '@tillwright/plugin-sdk'
import type * as sdkMethods from '@tillwright/plugin-sdk/methods'

/**
 * Names that fragments in the documentation use without declaring: the shop's own functions, and variables of earlier
 * snippets.
 */
declare global {
  const tillwright: clientPackage.Client
  const client: clientPackage.Client
  const payment: Parameters<clientPackage.Client['payments']['create']>[0]
  const apiKey: string
  const checkout: checkoutPackage.Checkout
  const card: checkoutPackage.CardElement
  const saved: checkoutPackage.CardElement
  const storeId: string
  const customerId: string
  const idempotencyKey: string
  function redirect(url: string): never
  const variantId: string
  const coffeeClub: string
  const mug: string
  const largePlan: string
  const subscriptionId: string
  const paymentInstrumentId: string
  const paymentId: string
  const productId: string
  const disputeId: string
  const sessionId: string
  const otherPaymentId: string
  const orderNumber: string
  const serviceToken: string
  const actionToken: string
  const publishableKey: string
  const vaultUrl: string
  const apiUrl: string
  const shopUrl: string
  const webhookSecret: string
  const body: string
  const headers: Headers
  const first: string
  const second: string
  const third: string
  const cart: { id: string; total: number }
  function ship(orderId: string): Promise<void>
  const { init }: typeof checkoutPackage
  const { eventProperties, TillwrightError, verifyWebhook }: typeof clientPackage
  type Authentication = Parameters<clientPackage.Client['threeds']['authenticate']>[0]
  const processorConfig: Authentication['processorConfig']
  const purchaseInfo: Authentication['purchaseInfo']
  const cardholderInfo: Authentication['cardholderInfo']
  const page: sdkPackage.Page
  const shipping: { options: readonly { id: string }[] }
  const { openPage }: typeof sdkPackage
  const { checkDebit, debitMethod, openMethods }: typeof sdkMethods
  const iban: string
  const holderName: string
  const mandateAccepted: boolean
  function apply(config: unknown): void
  function show(pageId: string | null): void
  /** The global that the script tag sets. */
  const Tillwright: {
    init(options: Partial<Parameters<typeof checkoutPackage.init>[0]>): Promise<checkoutPackage.Checkout>
  }
  /** The types that `tillwright types` generates for the example of a page. */
  namespace Tillwright {
    interface Plugin {
      config: { readonly headline?: Readonly<Record<string, string>>; readonly variantId: string }
      preset: never
      template: never
      pages: { checkout: { path: '/checkout'; params: object; resource: never } }
    }
  }
  /** Svelte's. */
  function $state<T>(): T | undefined
  function $state<T>(value: T): T
}
