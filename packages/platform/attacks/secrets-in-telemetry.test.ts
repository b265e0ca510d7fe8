import { expect, onTestFinished, test } from 'vitest'
import { cardTraces } from '../../../.ci/card-traces.ts'
import { encryptedForm, serviceToken } from '../test/pay-with-card.ts'
import { startCollector } from '../test/telemetry/start-collector.ts'
import { startTestPlatform } from '../test/test-platform.ts'

const CARD = '4000056655665556'
const EMAIL = 'ada.lovelace@telemetry.example'
const NAME = 'Augusta Ada Kingston'

test.each(['http/json', 'http/protobuf'])(
  'nothing that a buyer typed and no key is in traces (%s) or metrics',
  async (protocol) => {
    const collector = await startCollector()
    const platform = await startTestPlatform({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_TRACES_SAMPLER: 'always_on',
        TILLWRIGHT_METRICS_PORT: '0',
      },
    })
    onTestFinished(() => platform.remove())
    const { storeId, apiKey, adminApiKey, publishableKey } = platform.local
    const jwe = await encryptedForm(platform, { number: CARD, cvc: '737', name: NAME })
    await platform.vaultRequest('POST', '/api/vault/v1/tokens', { body: { jwe } })
    const token = await serviceToken(platform, CARD)
    const { body: made } = await platform.request('POST', '/api/public/v1/payment-instruments/create-from-token', {
      body: { serviceToken: token, storeId, customerData: { email: EMAIL } },
    })
    const paymentInstrumentId = JSON.parse(JSON.stringify(made)).paymentInstrument.id
    const paid = await platform.request('POST', '/api/payments/v1/payments', {
      body: { storeId, currency: 'USD', amount: 1_999, paymentInstrumentId },
      headers: { 'Idempotency-Key': 'a-key-of-the-shop' },
    })
    expect(paid.status).toBe(201)
    // Errors are logged without the content of the request.
    await platform.request('GET', `/api/payments/v1/payments/${CARD}`)
    await platform.request('GET', `/${EMAIL}?key=${apiKey}`)
    await platform.request('POST', '/api/payments/v1/payments', { body: { cardNumber: CARD, email: EMAIL } })
    await platform.request('GET', '/api/payments/v1/payments', { key: `${apiKey}x` })

    const metrics = Buffer.from(await (await fetch(platform.metricsUrl ?? '')).text())
    await platform.restart()
    const exported = Buffer.concat([...collector.bodies, metrics])
    expect(exported.includes('POST /api/payments/v1/payments')).toBe(true)
    expect(cardTraces(exported, CARD)).toEqual([])
    const secrets = [EMAIL, NAME, jwe, token, apiKey, adminApiKey, publishableKey, 'a-key-of-the-shop']
    expect(secrets.filter((secret) => exported.includes(secret))).toEqual([])
  },
)
