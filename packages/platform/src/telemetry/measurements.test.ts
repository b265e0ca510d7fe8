import { emptyResource } from '@opentelemetry/resources'
import { expect, test } from 'vitest'
import { type Attributes, openMeasurements } from './measurements.ts'

const opened = (bounded = (attributes: Attributes) => attributes, seriesMax = 100) =>
  openMeasurements({ resource: emptyResource(), version: '1', bounded, seriesMax })

async function allSeriesOf({ producer }: ReturnType<typeof opened>) {
  const { resourceMetrics } = await producer.collect()
  return resourceMetrics.scopeMetrics.flatMap(({ metrics }) =>
    metrics.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, attributes, value })),
    ),
  )
}

async function seriesOf(measurements: ReturnType<typeof opened>) {
  return (await allSeriesOf(measurements)).filter(({ name }) => name !== 'tillwright_metrics_failures')
}

test('a measurement is counted in the first bucket whose bound it does not exceed, by its attributes', async () => {
  const measurements = opened()
  const outcome = (name: string) => ({ 'tillwright.webhook.outcome': name })
  for (const seconds of [0.001, 0.005, 0.006, 30, 31]) {
    measurements.record('tillwright.webhook.delivery.duration', seconds, outcome('delivered'))
  }
  measurements.record('tillwright.webhook.delivery.duration', 1, outcome('refused'))
  const [delivered, refused, ...others] = await seriesOf(measurements)
  const boundaries = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
  expect(delivered).toEqual({
    name: 'tillwright_webhook_delivery_duration_seconds',
    attributes: outcome('delivered'),
    value: { buckets: { boundaries, counts: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1] }, count: 5, sum: 61.012 },
  })
  expect(refused).toMatchObject({ attributes: outcome('refused'), value: { count: 1, sum: 1 } })
  expect(others).toEqual([])
})

test('what takes too many values is counted together', async () => {
  const outcomeOf = (name: string) => ({ 'tillwright.webhook.outcome': name })
  const named = opened((attributes) => (Object.values(attributes).includes('odd') ? outcomeOf('other') : attributes))
  for (const name of ['odd', 'delivered', 'odd']) {
    named.record('tillwright.webhook.delivery.duration', 1, outcomeOf(name))
  }
  const counted = (await seriesOf(named)).map(({ attributes, value }) => [attributes, value])
  expect(counted).toMatchObject([
    [outcomeOf('other'), { count: 2 }],
    [outcomeOf('delivered'), { count: 1 }],
  ])
  const full = opened(undefined, 2)
  for (let n = 0; n < 10; n++) full.record('tillwright.webhook.delivery.duration', 1, outcomeOf(`outcome ${n}`))
  expect((await seriesOf(full)).map(({ attributes }) => attributes)).toEqual([
    outcomeOf('outcome 0'),
    outcomeOf('outcome 1'),
    outcomeOf('other'),
  ])
})

test('a counter adds up by its attributes, and begins at 0 where it has none', async () => {
  const measurements = opened()
  const outcome = (name: string) => ({ 'tillwright.payment.outcome': name })
  measurements.count('tillwright.payment.outcomes', outcome('succeeded'))
  measurements.count('tillwright.payment.outcomes', outcome('declined'))
  measurements.count('tillwright.payment.outcomes', outcome('succeeded'), 2)
  expect(await allSeriesOf(measurements)).toEqual([
    { name: 'tillwright_payment_outcomes', attributes: outcome('succeeded'), value: 3 },
    { name: 'tillwright_payment_outcomes', attributes: outcome('declined'), value: 1 },
    { name: 'tillwright_metrics_failures', attributes: {}, value: 0 },
  ])
})
