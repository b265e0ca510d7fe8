import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type MetricName, metrics, prometheusName } from './metrics.ts'

const operate = join(import.meta.dirname, '../../../../operate')
const docs = join(import.meta.dirname, '../../../../apps/docs/pages/operating/observability.md')
const alertsFile = join(operate, 'prometheus/alerts.yml')
const dashboards = ['payments', 'processes'].map((name) => join(operate, `grafana/${name}.json`))

/** Words of a query that look like names of our metrics. */
function metricsIn(text: string): Set<string> {
  const words = text.match(/\b(?:http_server|tillwright|db_client|nodejs|v8js|process)_[a-z0-9_]+/g) ?? []
  const labels = new Set(
    Object.values(metrics).flatMap(({ attributes }) => attributes.map((name) => name.replaceAll('.', '_'))),
  )
  return new Set(words.filter((word) => !labels.has(word)))
}

/** All names at `/metrics`. */
const served = new Set(
  (Object.keys(metrics) as MetricName[]).flatMap((name) => {
    const base = prometheusName(name)
    return metrics[name].kind === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => base + end) : [base]
  }),
)

test('every metric that an alert or a dashboard asks for is served', async () => {
  for (const file of [alertsFile, ...dashboards]) {
    const asked = metricsIn(await readFile(file, 'utf8'))
    expect(asked.size).toBeGreaterThan(10)
    expect([...asked].filter((name) => !served.has(name))).toEqual([])
  }
})

/** Debian's package `prometheus` has it. */
const promtool = '/usr/bin/promtool'

test.skipIf(!existsSync(promtool))(
  'every alert fires when it should, and is quiet while all is well (promtool)',
  async () => {
    const { stdout } = await promisify(execFile)(promtool, ['test', 'rules', 'alerts.test.yml'], {
      cwd: join(operate, 'prometheus'),
    })
    expect(stdout).toContain('SUCCESS')
    const rules = (await readFile(alertsFile, 'utf8')).matchAll(/- alert: (\w+)/g)
    const tests = await readFile(join(operate, 'prometheus/alerts.test.yml'), 'utf8')
    for (const [, name] of rules) {
      expect(tests.match(new RegExp(`alertname: ${name}\\b`, 'g'))?.length).toBeGreaterThanOrEqual(3)
    }
  },
)

test('every alert is also made to fire by a real Prometheus, over a platform that is made to fail', async () => {
  const text = await readFile(join(operate, 'prometheus/prometheus.test.ts'), 'utf8')
  for (const [, name] of (await readFile(alertsFile, 'utf8')).matchAll(/- alert: (\w+)/g)) {
    expect(text).toContain(`'${name}'`)
  }
})

test('the documentation lists every metric as it is, and every alert', async () => {
  const text = await readFile(docs, 'utf8')
  for (const name of Object.keys(metrics) as MetricName[]) {
    const { unit, description, attributes } = metrics[name]
    const labels = attributes.map((attribute) => `\`${attribute.replaceAll('.', '_')}\``).join(', ') || '-'
    expect(text).toContain(`| \`${prometheusName(name)}\` | ${unit} | ${description} | ${labels} |`)
  }
  for (const [, name] of (await readFile(alertsFile, 'utf8')).matchAll(/- alert: (\w+)/g)) {
    expect(text).toContain(`**${name}**`)
  }
})
