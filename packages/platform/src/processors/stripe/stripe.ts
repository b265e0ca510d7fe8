import type { OpenedProcessor, ProcessorDriver } from '../processor-driver.ts'
import { processorSettings, standInUrl } from '../settings.ts'

const settings = processorSettings.extend({ apiUrl: standInUrl() })

/** Stripe's secret and restricted keys. Source: Stripe, "API keys". */
const SECRET_KEY = /^[sr]k_(test|live)_[A-Za-z0-9_]{4,250}$/
/** The signing secret of an endpoint. Source: Stripe, "Verify webhook signatures". */
const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/=_-]{16,250}$/

/** Stripe. Its package is large: it is loaded by the first payment or event that needs it. */
export const stripe: ProcessorDriver = {
  name: 'stripe',
  title: 'Stripe',
  settings,
  secret: {
    called: "Stripe's secret key",
    problem(secret, environment) {
      const mode = SECRET_KEY.exec(secret)?.[1]
      if (mode === undefined) {
        return "The secret is not a secret key of Stripe's: one begins with sk_ or rk_, then test_ or live_."
      }
      const wanted = environment === 'production' ? 'live' : 'test'
      return mode === wanted
        ? null
        : `The secret is a ${mode} key; ${environment} takes ${wanted} keys of Stripe's alone.`
    },
  },
  capabilities: {
    movesMoney: true,
    cards: ['number'],
    methods: [],
    answersLater: false,
    severalCaptures: true,
    partialRefunds: true,
    exemptions: [],
    zeroAmount: true,
    storedCredentials: true,
    accountUpdater: false,
    disputes: true,
    evidence: true,
    authentication: true,
  },
  help: `A processor of Stripe's is spoken to with a secret key of yours, which is kept sealed and never shown:
  tillwright processors add --driver stripe --name "Stripe" --secret-from-stdin < key.txt
or with the key in TILLWRIGHT_PROCESSOR_SECRET. Your account at Stripe must be allowed to send card numbers.`,
  async open(processor) {
    const [client, { stripeDriver }] = await Promise.all([clientOf(processor), import('./stripe-driver.ts')])
    return stripeDriver(client, processor.services.clock)
  },
  async checkSecret(processor) {
    const [client, { checkSecret }] = await Promise.all([clientOf(processor), import('./stripe-driver.ts')])
    return checkSecret(client)
  },
  events: {
    secret: {
      called: "Stripe's signing secret",
      problem: (secret) =>
        SIGNING_SECRET.test(secret)
          ? null
          : "Stripe's signing secret begins with whsec_; copy it from the endpoint's page there.",
    },
    help: `In Stripe's dashboard add an endpoint for the events charge.dispute.created, charge.dispute.updated,
charge.dispute.closed, charge.refunded, refund.updated, refund.failed and payment_intent.* at
  https://<your API>/api/processors/v1/<account>/<processor>/stripe-events
and pipe in the signing secret that it shows:
  tillwright processors set-webhook-secret processor_... --secret-from-stdin < whsec.txt`,
    async read({ body, headers }, processor) {
      const { readStripeEvent } = await import('./events.ts')
      const signature = String(headers['stripe-signature'] ?? '')
      const { eventSecret: secret, services } = processor
      return readStripeEvent(
        { body, signature },
        { client: await clientOf(processor), secret, nowMs: services.clock.now() },
      )
    },
  },
}

async function clientOf({ config, secret }: OpenedProcessor) {
  if (secret === null) throw new Error('A processor of Stripe has no secret key; archive it and add it anew.')
  const { stripeClient } = await import('./client.ts')
  const { apiUrl } = settings.parse(config ?? {})
  return stripeClient({ secretKey: secret, ...(apiUrl !== null && { apiUrl }) })
}
