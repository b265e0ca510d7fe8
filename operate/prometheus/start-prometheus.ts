import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { freePort } from '../../.ci/free-port.ts'

/** Debian's package `prometheus` has it. */
const PROMETHEUS = '/usr/bin/prometheus'
export const hasPrometheus = existsSync(PROMETHEUS)
const WAIT = { timeout: 90_000, interval: 500 }

/** An alert that fires. */
interface Alert {
  state: 'pending' | 'firing'
  labels: Readonly<Record<string, string>> & { alertname: string }
  annotations: { summary: string }
}

/** A Prometheus with our rules, which is gone when the test is over. */
interface Prometheus {
  /**
   * Waits until all of these fire.
   *
   * @param meanwhile Done before each look: a rate needs events in more than one scrape.
   * @returns All that fire then, by name.
   */
  until(names: readonly string[], meanwhile?: () => Promise<unknown>): Promise<ReadonlyMap<string, Alert>>
  /** Waits until these fire and no others: on a busy machine some others do for a moment. */
  untilOnly(names: readonly string[]): Promise<void>
}

/**
 * Starts one that scrapes these addresses and judges every second. Our rules wait for minutes, so that a moment wakes no
 * one; here they do not.
 *
 * @param scrapeS Seconds between two scrapes, and for one: those of a platform without a database take two.
 */
export async function startPrometheus(metricsUrls: readonly string[], scrapeS = 1): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
  const rules = parse(await readFile(join(import.meta.dirname, 'alerts.yml'), 'utf8'))
  for (const rule of rules.groups[0].rules) delete rule.for
  await writeFile(join(folder, 'alerts.yml'), stringify(rules))
  const targets = metricsUrls.map((url) => new URL(url).host)
  const config = {
    global: { scrape_interval: `${scrapeS}s`, evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'tillwright', static_configs: [{ targets }] }],
  }
  await writeFile(join(folder, 'prometheus.yml'), stringify(config))
  const port = await freePort()
  const flags = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const child = spawn(PROMETHEUS, flags, { stdio: 'ignore' })
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  })
  const firing = async (): Promise<ReadonlyMap<string, Alert>> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`)
    const { data }: { data: { alerts: Alert[] } } = await response.json()
    return new Map(
      data.alerts.filter(({ state }) => state === 'firing').map((alert) => [alert.labels.alertname, alert]),
    )
  }
  return {
    until: (names, meanwhile = async () => {}) =>
      vi.waitFor(async () => {
        await meanwhile()
        const fires = await firing()
        expect([...fires.keys()]).toEqual(expect.arrayContaining([...names]))
        return fires
      }, WAIT),
    untilOnly: (names) => vi.waitFor(async () => expect([...(await firing()).keys()]).toEqual(names), WAIT),
  }
}
