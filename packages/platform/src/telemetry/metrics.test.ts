import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { newInstrument, pay, requestPayment } from '../../test/pay-with-card.ts'
import { deployPlugin } from '../../test/plugins/deploy-plugin.ts'
import { visit } from '../../test/plugins/visit.ts'
import { startTestPlatform, testableEngines } from '../../test/test-platform.ts'
import { noteBackup } from '../storage/index.ts'

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
  const { url } = await deployPlugin(platform)
  const session = contract.session.get
  expect((await visit(platform, { host: new URL(url).host, path: session.path })).status).toBe(401)
  const samples = await scrape(platform.metricsUrl)
  const ofPages = `{tillwright_origin="api",http_request_method="GET",http_route="${session.path}",`
  const payments = '{tillwright_origin="api",http_request_method="POST",http_route="/api/payments/v1/payments",'
  const processor = `{tillwright_processor_id="${attempts[0]?.processorId}",`
  expect(Object.fromEntries(samples)).toMatchObject({
    [`http_server_request_duration_seconds_count${payments}http_response_status_code="201"}`]: 1,
    [`http_server_request_duration_seconds_count${payments}http_response_status_code="402"}`]: 1,
    [`http_server_request_duration_seconds_count${payments}http_response_status_code="404"}`]: 1,
    [`http_server_request_duration_seconds_count${ofPages}http_response_status_code="401"}`]: 1,
    'tillwright_payment_outcomes_total{tillwright_payment_outcome="succeeded"}': 1,
    'tillwright_payment_outcomes_total{tillwright_payment_outcome="soft_decline"}': 1,
    [`tillwright_payment_attempt_duration_seconds_count${processor}tillwright_payment_outcome="succeeded"}`]: 1,
    'tillwright_unresolved_count{tillwright_unresolved_kind="payment"}': 0,
    tillwright_metrics_failures_total: 0,
  })
  expect([...samples.keys()].filter((name) => name.includes('http_route="other"'))).toEqual([])
  expect(samples.get('tillwright_webhook_backlog')).toBeGreaterThan(0)
  const declines = [...samples.keys()].filter((name) => name.startsWith('tillwright_payment_attempt_declines_total{'))
  expect(declines).toEqual([expect.stringContaining('tillwright_decline_code="insufficient_funds"}')])
})

/** Metrics that appear with what they count, which these few payments do not bring about. */
const appearLater = [
  'tillwright_backup_age_seconds',
  'tillwright_certificate_expiry_seconds',
  'tillwright_http_connections_dropped_total',
  'tillwright_threeds_authentication_duration_seconds_bucket',
  'tillwright_threeds_authentication_duration_seconds_count',
  'tillwright_threeds_challenges_total',
  'tillwright_webhook_delivery_duration_seconds_bucket',
  'tillwright_webhook_delivery_duration_seconds_count',
  'v8js_gc_duration_seconds_sum',
]

/** The metrics that a query asks for, each with the labels that it selects by. */
function askedFor(query: string): [metric: string, labels: string[]][] {
  const withoutGroups = query.replaceAll(/\b(?:by|on|without)\s*\([^)]*\)/g, '')
  return [
    ...withoutGroups.matchAll(/\b((?:http_server|tillwright|db_client|nodejs|v8js|process)_\w+)(?:\{([^}]*)\})?/g),
  ].map(([, metric = '', selected = '']) => [
    metric,
    [...selected.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
  ])
}

test('a live scrape has every metric and label that the dashboards and alerts ask for', async () => {
  const platform = await startTestPlatform({ env: { TILLWRIGHT_METRICS_PORT: '0' } })
  onTestFinished(() => platform.remove())
  const { id: paymentInstrumentId } = await newInstrument(platform)
  await pay(platform, paymentInstrumentId)
  const { id: insufficient } = await newInstrument(platform, { number: '4000000000009995' })
  await requestPayment(platform, { paymentInstrumentId: insufficient })
  const live = new Map<string, Set<string>>()
  for (const series of (await scrape(platform.metricsUrl)).keys()) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? []
    live.set(
      name,
      new Set([...(live.get(name) ?? []), ...[...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)]),
    )
  }
  const queries = await readQueries()
  expect(queries.length).toBeGreaterThan(50)
  const asked = queries.flatMap(askedFor)
  const absent = new Set(asked.map(([metric]) => metric).filter((metric) => !live.has(metric)))
  expect([...absent].filter((metric) => !appearLater.includes(metric))).toEqual([])
  const wrongLabels = asked.flatMap(([metric, labels]) =>
    labels.filter((label) => live.has(metric) && !live.get(metric)?.has(label)).map((label) => `${metric}{${label}}`),
  )
  expect(wrongLabels).toEqual([])
})

async function readQueries(): Promise<string[]> {
  const operate = join(import.meta.dirname, '../../../../operate')
  const { groups } = parse(await readFile(join(operate, 'prometheus/alerts.yml'), 'utf8'))
  const rules: { expr: string }[] = groups.flatMap(({ rules: each }: { rules: { expr: string }[] }) => each)
  const panels = await Promise.all(
    ['payments', 'processes'].map(async (name) => {
      const dashboard = JSON.parse(await readFile(join(operate, `grafana/${name}.json`), 'utf8'))
      return dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets)
    }),
  )
  return [...rules, ...panels.flat()].map(({ expr }) => expr)
}

test('keys are counted by what they are used for, and they, bodies and backups have their figures', async () => {
  const platform = await startTestPlatform({ env: { TILLWRIGHT_METRICS_PORT: '0' } })
  onTestFinished(() => platform.remove())
  const { clock, metricsUrl, services } = platform
  clock.advance(60_000)
  await pay(platform, (await newInstrument(platform)).id)
  await noteBackup(services.db, { takenAtMs: clock.now() - 30_000, version: '0.0.0', missingBlobs: 0 })
  const samples = await scrape(metricsUrl)
  const uses = new Map([...samples].filter(([series]) => series.startsWith('tillwright_key_uses_total{')))
  const ofCards = platform.keys.cards?.uses() ?? []
  expect(ofCards.map(({ operation }) => operation)).toContain('open')
  for (const { ring, version, purpose, operation, count } of ofCards) {
    const labels = { ring, version, purpose, operation }
    const text = Object.entries(labels).map(([label, value]) => `tillwright_key_${label}="${value}"`)
    expect([purpose, uses.get(`tillwright_key_uses_total{${text.join(',')}}`)]).toEqual([purpose, count])
  }
  expect([...uses.keys()].join()).not.toMatch(/\d{6}/)
  for (const kind of ['cards_data', 'cards_master', 'secrets_data', 'secrets_master'])
    expect([kind, samples.get(`tillwright_key_age_seconds{tillwright_key_kind="${kind}"}`)]).toEqual([kind, 60])
  expect(samples.get('tillwright_backup_age_seconds')).toBe(30)
  const disk = '{tillwright_bodies_place="disk"}'
  expect(samples.get(`tillwright_http_bodies_limit_bytes${disk}`)).toBe(2 ** 30)
  expect(samples.get(`tillwright_http_bodies_used_bytes${disk}`)).toBe(0)
  expect(samples.get('tillwright_http_bodies_refused_total{tillwright_bodies_reason="spent"}')).toBe(0)
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
  expect(samples.get('tillwright_unresolved_count{tillwright_unresolved_kind="payment"}')).toBe(1)
  expect(samples.get('tillwright_unresolved_oldest_age_seconds{tillwright_unresolved_kind="payment"}')).toBe(90)
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
