import { z } from 'zod'
import type { OpenedProcessor, ProcessorDriver } from '../processor-driver.ts'
import { secretCheckOf } from '../processor-error.ts'
import { processorSettings, settingOption, standInUrl } from '../settings.ts'
import { paypalCurrencies } from './amounts.ts'

const settings = processorSettings.extend({
  clientId: settingOption(
    z
      .string({ error: 'is missing; copy it from the page of your app at PayPal' })
      .regex(/^[\w-]{40,120}$/, "must be the client id of an app at PayPal, from the app's page"),
    { value: 'id', description: "of your app there; the secret is the app's too", inProduction: true },
  ),
  mode: settingOption(z.enum(['live', 'sandbox'], { error: 'must be live or sandbox' }).nullable().default(null), {
    value: 'live|sandbox',
    description: 'which of the two the app is of; sandbox unless given',
    inProduction: true,
  }),
  apiUrl: standInUrl(),
})

const CLIENT_SECRET = /^[\w-]{40,120}$/
const WEBHOOK_ID = /^[0-9A-Z]{10,50}$/

/** PayPal. Its library is large: it is loaded by the first payment or event that needs it. */
export const paypal: ProcessorDriver = {
  name: 'paypal',
  title: 'PayPal',
  settings,
  secret: {
    called: "PayPal's client secret",
    problem: (secret) =>
      CLIENT_SECRET.test(secret)
        ? null
        : "The secret is not a client secret of PayPal's: copy it from your app's page.",
  },
  problemWith({ mode }, environment) {
    const given = mode ?? 'sandbox'
    const wanted = environment === 'production' ? 'live' : 'sandbox'
    return given === wanted ? null : { setting: 'mode', problem: `must be ${wanted} in ${environment}` }
  },
  capabilities: {
    movesMoney: true,
    cards: [],
    methods: [{ method: 'paypal', currencies: paypalCurrencies, countries: null }],
    answersLater: true,
    severalCaptures: false,
    partialRefunds: true,
    exemptions: [],
    zeroAmount: false,
    storedCredentials: false,
    accountUpdater: false,
    disputes: true,
    evidence: false,
    authentication: false,
  },
  help: `A processor of PayPal's is spoken to with the client id and the secret of an app of yours; the secret is kept sealed
and never shown:
  tillwright processors add --driver paypal --name "PayPal" --client-id A... --mode live --secret-from-stdin < secret.txt
or with the secret in TILLWRIGHT_PROCESSOR_SECRET.`,
  async open(processor) {
    const [client, { paypalDriver }] = await Promise.all([clientOf(processor), import('./paypal-driver.ts')])
    return paypalDriver({ client, clock: processor.services.clock })
  },
  checkSecret: async (processor) => secretCheckOf((await clientOf(processor)).authenticate()),
  events: {
    secret: {
      called: "PayPal's webhook id",
      problem: (secret) =>
        WEBHOOK_ID.test(secret)
          ? null
          : "PayPal's webhook id has capital letters and digits alone; copy it from the webhook's line on your app's page.",
    },
    help: `On your app's page at PayPal add a webhook for the events CHECKOUT.ORDER.*, PAYMENT.CAPTURE.*, PAYMENT.AUTHORIZATION.*,
PAYMENT.REFUND.* and CUSTOMER.DISPUTE.* at
  https://<your API>/api/processors/v1/<account>/<processor>/paypal-events
and pipe in the webhook id that it is given, which is part of what PayPal signs:
  tillwright processors set-webhook-secret processor_... --secret-from-stdin < webhook-id.txt`,
    async read(sent, processor) {
      const [{ readPayPalEvent }, { certificatesOfPayPal: fetchCertificates }] = await Promise.all([
        import('./events.ts'),
        import('./signature.ts'),
      ])
      const { eventSecret: webhookId, services } = processor
      const check = { webhookId, nowMs: services.clock.now(), fetchCertificates }
      return readPayPalEvent(sent, { ...check, client: await clientOf(processor) })
    },
  },
}

async function clientOf({ config, secret }: OpenedProcessor) {
  if (secret === null) throw new Error('A processor of PayPal has no client secret; archive it and add it anew.')
  const { paypalClient } = await import('./client.ts')
  const { clientId, mode, apiUrl } = settings.parse(config ?? {})
  return paypalClient({ clientId, clientSecret: secret, mode: mode ?? 'sandbox', ...(apiUrl !== null && { apiUrl }) })
}
