import { bankSimulator } from '@tillwright/bank-simulator'
import type { StoredCredential } from '../../src/processors/authorisation.ts'
import type { ProcessorDriver } from '../../src/processors/processor-driver.ts'
import { adyen } from '../../src/processors/adyen/adyen.ts'
import { checkoutCom } from '../../src/processors/checkout-com/checkout-com.ts'
import { simulatorOf } from '../../src/processors/simulator.ts'
import { stripe } from '../../src/processors/stripe/stripe.ts'
import { ADYEN_KEY, MERCHANT_ACCOUNT, startAdyenDouble } from '../processors/adyen/adyen-double.ts'
import { CHANNEL, CHECKOUT_KEY, startCheckoutDouble } from '../processors/checkout-com/checkout-double.ts'
import type { Call } from '../processors/stand-in.ts'
import { DOUBLE_KEY, startStripeDouble } from '../processors/stripe/stripe-double.ts'

/** How a processor was told of a charge: by whom it was asked for, and what it refers to. */
export interface ToldCharge {
  use: StoredCredential['use']
  reason: StoredCredential['reason']
  /** Absent where the processor has no way to be told. */
  networkTransactionId?: string | null
}

/** A processor's double that a year of renewals is charged at. */
export interface YearDouble {
  driver: ProcessorDriver
  settings: Record<string, unknown>
  secret: string | null
  /** All charges of cards on file that it was sent, oldest first, as its own words say it. */
  told(): readonly ToldCharge[]
  stop(): Promise<void>
}

/** Every driver of cards with its double. A new driver is a line here. */
export const yearDoubles: readonly (readonly [name: string, open: () => Promise<YearDouble>])[] = [
  ['the simulator', openRecorder],
  ['Stripe', openStripe],
  ['Adyen', openAdyen],
  ['Checkout.com', openCheckout],
]

/** The interface of drivers itself, with the simulator behind it. */
async function openRecorder(): Promise<YearDouble> {
  const told: ToldCharge[] = []
  const simulator = simulatorOf(bankSimulator)
  const driver: ProcessorDriver = {
    ...simulator,
    name: 'recorder',
    async open(processor) {
      const opened = await simulator.open(processor)
      return {
        ...opened,
        authorise(authorisation) {
          if (authorisation.storedCredential !== null) told.push(authorisation.storedCredential)
          return opened.authorise(authorisation)
        },
      }
    },
  }
  return { driver, settings: {}, secret: null, told: () => told, stop: () => Promise.resolve() }
}

async function openStripe(): Promise<YearDouble> {
  const double = await startStripeDouble()
  return {
    driver: stripe,
    settings: { apiUrl: double.url },
    secret: DOUBLE_KEY,
    told: () =>
      double.requests
        .filter(({ path }) => path.endsWith('/confirm'))
        .map(({ form }) =>
          form.has('off_session')
            ? { use: 'later', reason: form.get('off_session') === 'recurring' ? 'recurring' : 'unscheduled' }
            : { use: 'first', reason: form.get('setup_future_usage') === 'off_session' ? 'recurring' : 'cardholder' },
        ),
    stop: async () => double.stop(),
  }
}

async function openAdyen(): Promise<YearDouble> {
  const double = await startAdyenDouble()
  return {
    driver: adyen,
    settings: { merchantAccount: MERCHANT_ACCOUNT, apiUrl: double.url },
    secret: ADYEN_KEY,
    told: () =>
      chargesOf<AdyenCharge>(double).map(({ shopperInteraction, recurringProcessingModel, paymentMethod }) => ({
        use: shopperInteraction === 'ContAuth' ? 'later' : 'first',
        reason: recurringProcessingModel === 'Subscription' ? 'recurring' : 'unscheduled',
        networkTransactionId: paymentMethod.networkPaymentReference ?? null,
      })),
    stop: async () => double.stop(),
  }
}

async function openCheckout(): Promise<YearDouble> {
  const double = await startCheckoutDouble()
  return {
    driver: checkoutCom,
    settings: { processingChannelId: CHANNEL, apiUrl: double.url },
    secret: CHECKOUT_KEY,
    told: () =>
      chargesOf<CheckoutCharge>(double).map(({ merchant_initiated, payment_type, previous_payment_id }) => ({
        use: merchant_initiated ? 'later' : 'first',
        reason: payment_type === 'Recurring' ? 'recurring' : 'unscheduled',
        networkTransactionId: previous_payment_id ?? null,
      })),
    stop: async () => double.stop(),
  }
}

/** What the doubles' schemas have checked already. */
interface AdyenCharge {
  shopperInteraction: string
  recurringProcessingModel?: string
  paymentMethod: { networkPaymentReference?: string }
}
interface CheckoutCharge {
  merchant_initiated: boolean
  payment_type: string
  previous_payment_id?: string
}

function chargesOf<Charge>({ calls }: { calls: readonly Call[] }): Charge[] {
  return calls
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/payments'))
    .map(({ body }) => body as Charge)
}
