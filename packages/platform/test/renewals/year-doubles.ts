import { bankSimulator } from '@tillwright/bank-simulator'
import type { StoredCredential } from '../../src/processors/authorisation.ts'
import type { ProcessorDriver } from '../../src/processors/processor-driver.ts'
import { simulatorOf } from '../../src/processors/simulator.ts'
import { processorDoubles } from '../processors/processor-doubles.ts'
import type { Call } from '../processors/stand-in.ts'

/** How a processor was told of a charge: by whom it was asked for, and what it refers to. */
export interface SentCharge {
  attemptId: string
  use: StoredCredential['use']
  reason: StoredCredential['reason']
  /** Absent where the processor has no way to be told. */
  networkTransactionId?: string | null
}

/** A processor's double that a year of renewals is charged at. */
export interface YearDouble {
  driver: ProcessorDriver
  settings: Readonly<Record<string, unknown>>
  secret: string | null
  /** All charges of cards on file that it was sent, oldest first, as its own words say it. */
  charges(): readonly SentCharge[]
  stop(): void
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
  const charges: SentCharge[] = []
  const simulator = simulatorOf(bankSimulator)
  const driver: ProcessorDriver = {
    ...simulator,
    name: 'recorder',
    async open(processor) {
      const opened = await simulator.open(processor)
      return {
        ...opened,
        authorise(authorisation) {
          const { attemptId, storedCredential } = authorisation
          if (storedCredential !== null) charges.push({ attemptId, ...storedCredential })
          return opened.authorise(authorisation)
        },
      }
    },
  }
  return { driver, settings: {}, secret: null, charges: () => charges, stop: () => {} }
}

async function openStripe(): Promise<YearDouble> {
  const double = await processorDoubles.stripe()
  const confirmed = () => double.calls.filter(({ path }) => path.endsWith('/confirm'))
  return {
    ...double,
    charges: () =>
      confirmed().map(({ body, headers }): SentCharge => {
        const form = new URLSearchParams(String(body))
        const attemptId = (headers['idempotency-key'] ?? '').replace(/-confirm$/, '')
        return form.has('off_session')
          ? { attemptId, use: 'later', reason: form.get('off_session') === 'recurring' ? 'recurring' : 'unscheduled' }
          : {
              attemptId,
              use: 'first',
              reason: form.get('setup_future_usage') === 'off_session' ? 'recurring' : 'cardholder',
            }
      }),
  }
}

async function openAdyen(): Promise<YearDouble> {
  const double = await processorDoubles.adyen()
  return {
    ...double,
    charges: () =>
      chargesOf<AdyenCharge>(double).map(
        ({ reference, shopperInteraction, recurringProcessingModel, paymentMethod }) => ({
          attemptId: reference,
          use: shopperInteraction === 'ContAuth' ? 'later' : 'first',
          reason: recurringProcessingModel === 'Subscription' ? 'recurring' : 'unscheduled',
          networkTransactionId: paymentMethod.networkPaymentReference ?? null,
        }),
      ),
  }
}

async function openCheckout(): Promise<YearDouble> {
  const double = await processorDoubles.checkout()
  return {
    ...double,
    charges: () =>
      chargesOf<CheckoutCharge>(double).map(({ reference, merchant_initiated, payment_type, previous_payment_id }) => ({
        attemptId: reference,
        use: merchant_initiated ? 'later' : 'first',
        reason: payment_type === 'Recurring' ? 'recurring' : 'unscheduled',
        networkTransactionId: previous_payment_id ?? null,
      })),
  }
}

/** Requests that the doubles' schemas have validated already. */
interface AdyenCharge {
  reference: string
  shopperInteraction: string
  recurringProcessingModel?: string
  paymentMethod: { networkPaymentReference?: string }
}
interface CheckoutCharge {
  reference: string
  merchant_initiated: boolean
  payment_type: string
  previous_payment_id?: string
}

function chargesOf<Charge>({ calls }: { calls: readonly Call[] }): Charge[] {
  return calls
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/payments'))
    .map(({ body }) => body as Charge)
}
