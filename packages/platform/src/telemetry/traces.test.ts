import { trace } from '@opentelemetry/api'
import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { attributeOf, type ExportedSpan, startCollector } from '../../test/telemetry/start-collector.ts'
import { startTestPlatform, type TestPlatformOptions } from '../../test/test-platform.ts'
import { authenticateWaiting, newWaitingPayment } from '../../test/threeds-payment.ts'
import { limit } from './traces.ts'

async function tracedPlatform(options: TestPlatformOptions = {}, sampler = 'parentbased_always_on') {
  const collector = await startCollector()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER: sampler,
  }
  const platform = await startTestPlatform({ env, ...options })
  onTestFinished(() => platform.remove())
  return { platform, collector }
}

/** The spans of everything so far: a stop sends what is left. */
async function spansOf({ platform, collector }: Awaited<ReturnType<typeof tracedPlatform>>): Promise<ExportedSpan[]> {
  await platform.restart()
  return collector.spans()
}

function childrenOf(parent: ExportedSpan, spans: readonly ExportedSpan[]): ExportedSpan[] {
  return spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
}

function named(name: string, spans: readonly ExportedSpan[]): ExportedSpan {
  const found = spans.find((span) => span.name === name)
  if (found === undefined)
    throw new Error(`There is no span "${name}" among ${spans.map((span) => span.name).join(', ')}.`)
  return found
}

test('a payment is one trace: request, attempt, call of the processor, transactions; its webhook is linked to it', async () => {
  const traced = await tracedPlatform()
  const { platform } = traced
  const { id: paymentInstrumentId } = await newInstrument(platform)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  const { status } = await requestPayment(platform, { paymentInstrumentId }, { headers })
  expect(status).toBe(201)
  const untried = 'SELECT event_id FROM webhook_deliveries WHERE attempts = 0'
  await expect.poll(() => platform.services.db.read(untried, [])).toEqual([])
  const spans = await spansOf(traced)

  const request = named('POST /api/payments/v1/payments', spans)
  expect(request).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: 2 })
  expect(attributeOf(request, 'http.response.status_code')).toBe(201)
  const attempt = named('payment attempt', childrenOf(request, spans))
  expect(attributeOf(attempt, 'tillwright.payment.outcome')).toBe('succeeded')
  const call = named('processor authorise', childrenOf(attempt, spans))
  expect(attributeOf(call, 'tillwright.processor.outcome')).toBe('succeeded')
  expect(childrenOf(request, spans).filter(({ name }) => name === 'transaction').length).toBeGreaterThan(1)

  const deliveries = spans.filter(({ name }) => name === 'webhook delivery')
  const linked = deliveries.filter(({ links = [] }) => links.some((link) => link.traceId === traceId))
  expect(linked.length).toBeGreaterThan(0)
  expect(linked.map((span) => span.traceId)).not.toContain(traceId)
})

test('the authentication of a buyer is in the trace of the request that asked for it, with what the bank said', async () => {
  const traced = await tracedPlatform()
  const { platform } = traced
  await authenticateWaiting(platform, await newWaitingPayment(platform))
  const spans = await spansOf(traced)
  const request = named(`POST ${contract.threedsFrame.authenticate.path}`, spans)
  const asked = named('3-D Secure authentication', childrenOf(request, spans))
  expect(asked.traceId).toBe(request.traceId)
  expect(attributeOf(asked, 'tillwright.threeds.outcome')).toMatch(/^[YACNRUI]$/)
})

test('a request whose caller does not want it traced is not', async () => {
  const traced = await tracedPlatform()
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-00` }
  await traced.platform.request('GET', '/api/catalog/v1/products', { headers })
  await traced.platform.request('GET', '/healthz')
  const spans = await spansOf(traced)
  expect(spans.some(({ name }) => name === 'GET /healthz')).toBe(true)
  expect(spans.some((span) => span.traceId === traceId)).toBe(false)
})

test('a path is never shown, whatever it holds: only the template of its route is', async () => {
  const traced = await tracedPlatform()
  await traced.platform.request('GET', '/api/payments/v1/payments/pay_made_up_by_a_caller')
  await traced.platform.request('GET', '/made/up/by/a/caller')
  const spans = await spansOf(traced)
  named('GET /api/payments/v1/payments/{paymentId}', spans)
  named('GET other', spans)
  expect(Buffer.concat(traced.collector.bodies).includes('made')).toBe(false)
})

test('the limit holds for callers that ask to be traced, and one that asks not to be uses none of it up', () => {
  let nowMs = 0
  const mayBegin = limit(10, () => nowMs)
  const traceparent = (flags: '00' | '01') => `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`
  expect(Array.from({ length: 1_000 }, () => mayBegin(traceparent('01'))).filter(Boolean)).toHaveLength(10)
  expect(mayBegin(undefined)).toBe(false)
  nowMs = 100
  expect(mayBegin(traceparent('00'))).toBe(false)
  expect(mayBegin('of no known form')).toBe(true)
  expect(mayBegin(undefined)).toBe(false)
})

test('by default a process begins five traces a second', async () => {
  const traced = await tracedPlatform({}, '')
  const startedAt = performance.now()
  const ask = () => traced.platform.request('GET', '/api/catalog/v1/products')
  await Promise.all(Array.from({ length: 60 }, ask))
  const most = 5 + ((performance.now() - startedAt) / 1_000) * 5
  const requests = (await spansOf(traced)).filter(({ name }) => name === 'GET /api/catalog/v1/products')
  expect(requests.length).toBeGreaterThan(0)
  expect(requests.length).toBeLessThanOrEqual(most)
})

test('lines of the log carry the ids of their trace', async () => {
  const { currentSpan, traceFields } = await import('./telemetry.ts')
  expect(traceFields()).toEqual({})
  const span = trace.wrapSpanContext({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 })
  expect(currentSpan.run(span, traceFields)).toEqual({ trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) })
})
