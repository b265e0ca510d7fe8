import { z } from 'zod'
import type { OpenedProcessor, ProcessorDriver } from '../processor-driver.ts'
import { secretCheckOf } from '../processor-error.ts'
import { processorSettings, settingOption, standInUrl } from '../settings.ts'

const settings = processorSettings.extend({
  processingChannelId: settingOption(
    z
      .string({ error: 'is missing; name the processing channel of your account at Checkout.com' })
      .regex(/^pc_[a-z2-7]{26}$/, 'must be the id of a processing channel at Checkout.com, which begins with pc_'),
    { value: 'id', description: 'the processing channel that payments are made in', inProduction: true },
  ),
  subdomain: settingOption(
    z
      .string()
      .regex(/^[0-9a-z]{8}$/, "must be the first eight characters of your client id's, without cli_")
      .nullable()
      .default(null),
    {
      value: 'prefix',
      description: 'of your own addresses there; the shared addresses unless given',
      inProduction: true,
    },
  ),
  statementCity: settingOption(z.string().min(1).max(13).nullable().default(null), {
    value: 'city',
    description: "the city on buyers' statements; without it the account's own text is shown",
    inProduction: true,
  }),
  apiUrl: standInUrl(),
})

/** Source: Checkout.com, "API keys". Keys of the sandbox say so. */
const SECRET_KEY = /^sk_(sbox_)?[a-z2-7]{26}[a-z2-7*#$=]$/
/** The merchant chooses it. */
const SIGNING_KEY = /^[!-~]{16,200}$/

/** Checkout.com. Its library is loaded by the first payment or event that needs it. */
export const checkoutCom: ProcessorDriver = {
  name: 'checkout_com',
  title: 'Checkout.com',
  settings,
  secret: {
    called: "Checkout.com's secret key",
    problem(secret, environment) {
      const match = SECRET_KEY.exec(secret)
      if (match === null) return "The secret is not a secret key of Checkout.com's: one begins with sk_ or sk_sbox_."
      const isLive = match[1] === undefined
      if (isLive === (environment === 'production')) return null
      return isLive
        ? `The secret is a live key; ${environment} takes keys of Checkout.com's sandbox alone.`
        : `The secret is a key of the sandbox; production takes live keys of Checkout.com's alone.`
    },
  },
  capabilities: {
    movesMoney: true,
    cards: ['number', 'network_token'],
    methods: [],
    answersLater: true,
    severalCaptures: true,
    partialRefunds: true,
    exemptions: ['low_value', 'low_risk', 'recurring', 'trusted', 'secure_corporate'],
    zeroAmount: true,
    storedCredentials: true,
    accountUpdater: true,
    disputes: true,
    evidence: true,
    authentication: true,
  },
  help: `A processor of Checkout.com's is spoken to with a secret key of yours, which is kept sealed and never shown:
  tillwright processors add --driver checkout_com --name "Checkout.com" --processing-channel-id pc_... --subdomain 1a2b3c4d \\
    --secret-from-stdin < key.txt
or with the key in TILLWRIGHT_PROCESSOR_SECRET. The key needs the scope of payments, and your account must be allowed to
send card numbers.`,
  async open(processor) {
    const [client, { checkoutDriver }] = await Promise.all([clientOf(processor), import('./checkout-driver.ts')])
    return checkoutDriver({ client, account: settings.parse(processor.config ?? {}), clock: processor.services.clock })
  },
  async checkSecret(processor) {
    const [{ payments }, { ask }] = await Promise.all([clientOf(processor), import('./client.ts')])
    return secretCheckOf(ask(payments.getPaymentList({ reference: processor.processorId }), z.unknown()))
  },
  events: {
    secret: {
      called: "Checkout.com's signature key",
      problem: (secret) =>
        SIGNING_KEY.test(secret)
          ? null
          : "Checkout.com's signature key has at least 16 visible characters: what the webhook's workflow there has.",
    },
    help: `In Checkout.com's dashboard add a workflow with a webhook for all events of payments and disputes, at
  https://<your API>/api/processors/v1/<account>/<processor>/checkout_com-events
and pipe in the signature key that you have given it:
  tillwright processors set-webhook-secret processor_... --secret-from-stdin < signature-key.txt`,
    async read({ body, headers }, processor) {
      const { readCheckoutEvent } = await import('./events.ts')
      const signature = String(headers['cko-signature'] ?? '')
      return readCheckoutEvent(body, {
        signature,
        signingKey: processor.eventSecret,
        client: await clientOf(processor),
      })
    },
  },
}

async function clientOf({ config, secret }: OpenedProcessor) {
  if (secret === null) throw new Error('A processor of Checkout.com has no secret key; archive it and add it anew.')
  const { checkoutClient } = await import('./client.ts')
  const { subdomain, apiUrl } = settings.parse(config ?? {})
  return checkoutClient({
    secretKey: secret,
    ...(subdomain !== null && { subdomain }),
    ...(apiUrl !== null && { apiUrl }),
  })
}
