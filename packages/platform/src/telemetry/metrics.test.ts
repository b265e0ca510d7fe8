import { expect, onTestFinished, test } from 'vitest'
import { newInstrument, pay, requestPayment } from '../../test/pay-with-card.ts'
import { startTestPlatform, testableEngines } from '../../test/test-platform.ts'

/** The samples of a scrape: the series with its labels -> its value. */
async function scrape(url: string | null): Promise<Map<string, number>> {
  const response = await fetch(url ?? '')
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

test.each(testableEngines())('what a platform on %s does is counted', async (engine) => {
  const platform = await startTestPlatform({ engine, env: { TILLWRIGHT_METRICS_PORT: '0' } })
  onTestFinished(() => platform.remove())
  const { id: paymentInstrumentId } = await newInstrument(platform)
  const { attempts } = await pay(platform, paymentInstrumentId)
  const { id: insufficient } = await newInstrument(platform, { number: '4000000000009995' })
  await requestPayment(platform, { paymentInstrumentId: insufficient })
  await requestPayment(platform, { paymentInstrumentId: 'pi_unknown' })
  const samples = await scrape(platform.metricsUrl)
  const payments = '{tillwright_origin="api",http_request_method="POST",http_route="/api/payments/v1/payments",'
  const processor = `{tillwright_processor_id="${attempts[0]?.processorId}",`
  expect(Object.fromEntries(samples)).toMatchObject({
    [`http_server_request_duration_seconds_count${payments}http_response_status_code="201"}`]: 1,
    [`http_server_request_duration_seconds_count${payments}http_response_status_code="402"}`]: 1,
    [`http_server_request_duration_seconds_count${payments}http_response_status_code="404"}`]: 1,
    'tillwright_payment_outcomes_total{tillwright_payment_outcome="succeeded"}': 1,
    'tillwright_payment_outcomes_total{tillwright_payment_outcome="soft_decline"}': 1,
    [`tillwright_payment_attempt_duration_seconds_count${processor}tillwright_payment_outcome="succeeded"}`]: 1,
    'tillwright_unsettled_count{tillwright_unsettled_kind="payment"}': 0,
    tillwright_metrics_failures_total: 0,
  })
  expect(samples.get('tillwright_webhook_backlog')).toBeGreaterThan(0)
  const declines = [...samples.keys()].filter((name) => name.startsWith('tillwright_payment_attempt_declines_total{'))
  expect(declines).toEqual([expect.stringContaining('tillwright_decline_code="insufficient_funds"}')])
})

test('what waits has an age', async () => {
  const platform = await startTestPlatform({ env: { TILLWRIGHT_METRICS_PORT: '0' } })
  onTestFinished(() => platform.remove())
  const { clock, metricsUrl, services, local } = platform
  await pay(platform, (await newInstrument(platform)).id)
  // A process that has died while its processor was asked.
  const leave = `UPDATE payments SET status = 'processing', lease_until = ? WHERE account_id = ?`
  await services.db.write([{ sql: leave, params: [clock.now() + 600_000, local.accountId] }])
  clock.advance(90_000)
  const samples = await scrape(metricsUrl)
  expect(samples.get('tillwright_unsettled_count{tillwright_unsettled_kind="payment"}')).toBe(1)
  expect(samples.get('tillwright_unsettled_oldest_age_seconds{tillwright_unsettled_kind="payment"}')).toBe(90)
  expect(samples.get('tillwright_key_age_seconds{tillwright_key_kind="card_form"}')).toBe(90)
})

test('metrics are off unless they have a port, and never on the public origins', async () => {
  const platform = await startTestPlatform()
  onTestFinished(() => platform.remove())
  expect(platform.metricsUrl).toBeNull()
  expect(await platform.request('GET', '/metrics')).toMatchObject({ status: 404 })
  expect(await platform.vaultRequest('GET', '/metrics')).toMatchObject({ status: 404 })
})

test('a taken port is refused in words that name the setting', async () => {
  const platform = await startTestPlatform({ env: { TILLWRIGHT_METRICS_PORT: '0' } })
  onTestFinished(() => platform.remove())
  const { port } = new URL(platform.metricsUrl ?? '')
  const second = startTestPlatform({ env: { TILLWRIGHT_METRICS_PORT: port } })
  await expect(second).rejects.toThrow('(EADDRINUSE); set another address with TILLWRIGHT_METRICS_PORT')
})
