import { bankSimulator } from '@tillwright/bank-simulator'
import type { StoredCredential } from '../../src/processors/authorisation.ts'
import type { ProcessorDriver } from '../../src/processors/processor-driver.ts'
import { simulatorOf } from '../../src/processors/simulator.ts'
import { stripe } from '../../src/processors/stripe/stripe.ts'
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

/** Every driver with its double. A new driver is a line here. */
export const yearDoubles: readonly (readonly [name: string, open: () => Promise<YearDouble>])[] = [
  ['the simulator', openRecorder],
  ['Stripe', openStripe],
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
