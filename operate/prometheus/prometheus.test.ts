import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { freePort } from '../../.ci/free-port.ts'
import { soaks } from '../../.ci/soaks.ts'
import { noteBackup } from '../../packages/platform/src/storage/index.ts'
import { newInstrument, pay } from '../../packages/platform/test/pay-with-card.ts'
import { startTestPlatform } from '../../packages/platform/test/test-platform.ts'

/** Debian's package `prometheus` has it. */
const PROMETHEUS = '/usr/bin/prometheus'
const DAY_MS = 86_400_000
const WAIT = { timeout: 60_000, interval: 500 }

interface Alert {
  state: 'pending' | 'firing'
  labels: { alertname: string; severity: string; instance?: string }
  annotations: { summary: string }
}

test.skipIf(!soaks || !existsSync(PROMETHEUS) || inject('postgresUrl') === null)(
  'a real Prometheus scrapes a platform, is quiet, and then fires what is made to go wrong (needs prometheus, PostgreSQL)',
  { timeout: 180_000 },
  async () => {
    const platform = await startTestPlatform({ engine: 'postgres', env: { TILLWRIGHT_METRICS_PORT: '0' } })
    let isRunning = true
    const stop = async () => {
      if (isRunning) await platform.remove()
      isRunning = false
    }
    onTestFinished(stop)
    const { clock, services, local, metricsUrl } = platform
    await pay(platform, (await newInstrument(platform)).id)
    await noteBackup(services.db, { takenAtMs: clock.now(), version: '0.0.0', missingBlobs: 0 })
    const prometheus = await startPrometheus(new URL(metricsUrl ?? '').host)

    // With one process on a shared database, that is all there is to say.
    const quiet = await prometheus.until(['TillwrightAlone'])
    expect(quiet.map(({ labels }) => labels.alertname)).toEqual(['TillwrightAlone'])

    // A process that has died while its processor was asked, a backup job and rotations that no longer run.
    const leave = `UPDATE payments SET status = 'processing', lease_until = ? WHERE account_id = ?`
    await services.db.write([{ sql: leave, params: [clock.now() + 500 * DAY_MS, local.accountId] }])
    clock.advance(401 * DAY_MS)
    const wrong = await prometheus.until([
      'TillwrightBackupOld',
      'TillwrightFormKeyOld',
      'TillwrightKeyOld',
      'TillwrightUnsettled',
    ])
    const backup = wrong.find(({ labels }) => labels.alertname === 'TillwrightBackupOld')
    expect(backup).toMatchObject({ labels: { severity: 'critical' }, annotations: { summary: /401d/ } })

    await services.db.write([{ sql: 'ALTER TABLE last_backup RENAME TO gone', params: [] }])
    await prometheus.until(['TillwrightMetricsIncomplete'])

    await stop()
    const [down] = await prometheus.until(['TillwrightDown'])
    expect(down?.labels.instance).toBe(new URL(metricsUrl ?? '').host)
  },
)

/** Scrapes and judges every second. Our rules wait for minutes, so that a moment wakes no one; here they do not. */
async function startPrometheus(target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
  const rules = parse(await readFile(join(import.meta.dirname, 'alerts.yml'), 'utf8'))
  for (const rule of rules.groups[0].rules) delete rule.for
  await writeFile(join(folder, 'alerts.yml'), stringify(rules))
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'tillwright', static_configs: [{ targets: [target] }] }],
  }
  await writeFile(join(folder, 'prometheus.yml'), stringify(config))
  const port = await freePort()
  const child = spawn(
    PROMETHEUS,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  })
  return {
    /** Waits until all of these fire. @returns All that fire then. */
    until: (names: readonly string[]): Promise<Alert[]> =>
      vi.waitFor(async () => {
        const response = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`)
        const { data }: { data: { alerts: Alert[] } } = await response.json()
        const firing = data.alerts.filter(({ state }) => state === 'firing')
        expect(firing.map(({ labels }) => labels.alertname)).toEqual(expect.arrayContaining([...names]))
        return firing.toSorted(
          (a, b) => Number(names.includes(b.labels.alertname)) - Number(names.includes(a.labels.alertname)),
        )
      }, WAIT),
  }
}
