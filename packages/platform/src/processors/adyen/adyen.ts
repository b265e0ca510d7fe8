import { z } from 'zod'
import type { OpenedProcessor, ProcessorDriver } from '../processor-driver.ts'
import { secretCheckOf } from '../processor-error.ts'
import { processorSettings, settingOption, standInUrl } from '../settings.ts'

/** A merchant account's name. Source: Adyen, "Account structure". */
const merchantAccount = z
  .string({ error: 'is missing; name the merchant account at Adyen' })
  .regex(/^[A-Za-z0-9_-]{2,80}$/, 'must be the name of a merchant account at Adyen, such as ShopCOM')

const settings = processorSettings.extend({
  merchantAccount: settingOption(merchantAccount, {
    value: 'name',
    description: 'the merchant account that payments are made to',
    inProduction: true,
  }),
  liveUrlPrefix: settingOption(
    z
      .string()
      .regex(
        /^[0-9A-Za-z]{4,40}-[0-9A-Za-z]{2,80}$/,
        'must be the prefix of your live addresses, such as 1797a841fbb37ca7-Shop',
      )
      .nullable()
      .default(null),
    {
      value: 'prefix',
      description: "of your live endpoints, from Adyen's Customer Area; without one the test platform is spoken to",
      inProduction: true,
    },
  ),
  apiUrl: standInUrl(),
})

/** Keys are random and long; nothing in them says whether they are of the live platform. */
const API_KEY = /^[!-~]{30,500}$/
/** 32 bytes. Source: Adyen, "Verify HMAC signatures". */
const HMAC_KEY = /^[0-9A-Fa-f]{64}$/

/** Adyen. Its library is large: it is loaded by the first payment or event that needs it. */
export const adyen: ProcessorDriver = {
  name: 'adyen',
  title: 'Adyen',
  settings,
  secret: {
    called: "Adyen's API key",
    problem: (secret) =>
      API_KEY.test(secret)
        ? null
        : 'The secret is not an API key of Adyen’s: copy it from the credential’s page in the Customer Area.',
  },
  problemWith({ liveUrlPrefix }, environment) {
    if (environment === 'production' && liveUrlPrefix === null) {
      return { setting: 'liveUrlPrefix', problem: 'is missing; production speaks to the live platform alone' }
    }
    if (environment !== 'production' && liveUrlPrefix !== null) {
      return { setting: 'liveUrlPrefix', problem: `is for production alone; ${environment} takes test accounts` }
    }
    return null
  },
  capabilities: {
    movesMoney: true,
    cards: ['number', 'network_token'],
    methods: [
      { method: 'ideal', currencies: ['EUR'], countries: ['NL'] },
      { method: 'sepa_debit', currencies: ['EUR'], countries: null },
    ],
    answersLater: true,
    severalCaptures: false,
    partialRefunds: true,
    exemptions: ['low_value', 'low_risk', 'trusted', 'secure_corporate'],
    zeroAmount: true,
    storedCredentials: true,
    accountUpdater: true,
    disputes: true,
    evidence: false,
    authentication: true,
  },
  help: `A processor of Adyen's is spoken to with an API key of yours, which is kept sealed and never shown:
  tillwright processors add --driver adyen --name "Adyen" --merchant-account ShopCOM --secret-from-stdin < key.txt
or with the key in TILLWRIGHT_PROCESSOR_SECRET. Its role must allow to send card numbers ("API PCI Payments role"). Set
its notifications up before the first payment: what becomes of captures and refunds Adyen tells in no other way.`,
  async open(processor) {
    const [client, { adyenDriver }] = await Promise.all([clientOf(processor), import('./adyen-driver.ts')])
    return adyenDriver(client, processor)
  },
  async checkSecret(processor) {
    const { merchantAccount: account, payments } = await clientOf(processor)
    return secretCheckOf(payments.paymentMethods({ merchantAccount: account }))
  },
  events: {
    secret: {
      called: "Adyen's HMAC key",
      problem: (secret) =>
        HMAC_KEY.test(secret)
          ? null
          : "Adyen's HMAC key has 64 hexadecimal digits; generate one on the webhook's page in the Customer Area.",
    },
    help: `In Adyen's Customer Area add a standard webhook (JSON) for the merchant account, with all events of payments and
disputes, at
  https://<your API>/api/processors/v1/<account>/<processor>/adyen-events
switch on "Include the originalReference for CHARGEBACK_REVERSED events" among its additional settings for risk,
generate its HMAC key there, and pipe it in:
  tillwright processors set-webhook-secret processor_... --secret-from-stdin < hmac.txt`,
    async read({ body }, processor) {
      const { readAdyenEvent } = await import('./events.ts')
      const { merchantAccount: account } = settings.parse(processor.config ?? {})
      return readAdyenEvent(body, { place: processor, hmacKey: processor.eventSecret, merchantAccount: account })
    },
  },
}

async function clientOf({ config, secret }: OpenedProcessor) {
  if (secret === null) throw new Error('A processor of Adyen has no API key; archive it and add it anew.')
  const { adyenClient } = await import('./client.ts')
  const { merchantAccount: account, liveUrlPrefix, apiUrl } = settings.parse(config ?? {})
  return adyenClient({
    apiKey: secret,
    merchantAccount: account,
    ...(liveUrlPrefix !== null && { liveUrlPrefix }),
    ...(apiUrl !== null && { apiUrl }),
  })
}
