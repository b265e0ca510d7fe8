import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as sendHead } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { contract } from '../../packages/contract/src/index.ts'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../.ci/free-port.ts'
import { copyDatabase, dropDatabase, queryPostgres } from '../../.ci/postgres-database.ts'
import { inSoak } from '../../.ci/soaks.ts'
import { newPlace } from '../../packages/platform/faults/new-place.ts'
import { startProcess } from '../../packages/platform/faults/platform-process.ts'
import { canMountDisk, smallDisk } from '../../packages/platform/faults/small-disk.ts'
import { createPlatformLog } from '../../packages/platform/src/platform-log.ts'
import { noteBackup } from '../../packages/platform/src/storage/index.ts'
import { channelFiles } from '../../packages/platform/test/channel-files.ts'
import { startReceiver } from '../../packages/platform/test/events/start-receiver.ts'
import { newInstrument, pay, requestPayment } from '../../packages/platform/test/pay-with-card.ts'
import { downDriver, flowThroughDown } from '../../packages/platform/test/processors/down-processor.ts'
import { startFaultyProxy } from '../../packages/platform/test/storage/faulty-proxy.ts'
import { buySubscription } from '../../packages/platform/test/subscribe.ts'
import { startTestPlatform, type TestPlatform } from '../../packages/platform/test/test-platform.ts'
import { newWaitingPayment } from '../../packages/platform/test/threeds-payment.ts'
import { browserData } from '../../packages/platform/test/browser-data.ts'
import { hasPrometheus, startPrometheus } from './start-prometheus.ts'

const server = inject('postgresUrl')
const DAY_MS = 86_400_000
/** Debian's faketime. */
const FAKETIME = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0] ?? ''

test.skipIf(!hasPrometheus || server === null)(
  'a real Prometheus is quiet over a platform, and then fires what no longer works there (needs prometheus, PostgreSQL)',
  { timeout: 240_000 },
  async () => {
    const env = { TILLWRIGHT_METRICS_PORT: '0' }
    const platform = await startTestPlatform({ engine: 'postgres', env, processors: [downDriver] })
    let isRunning = true
    const stop = async () => {
      if (isRunning) await platform.remove()
      isRunning = false
    }
    onTestFinished(stop)
    const { clock, services, local, metricsUrl } = platform
    const card = (await newInstrument(platform)).id
    const { url } = await startReceiver()
    await platform.call(contract.webhookEndpoints.create, { body: { url, eventTypes: '*' } })
    await pay(platform, card)
    await buySubscription(platform)
    await noteBackup(services.db, { takenAtMs: clock.now(), version: '0.0.0', missingBlobs: 0 })
    const prometheus = await startPrometheus([metricsUrl ?? ''])

    // With one process on a shared database, that is all there is to say.
    await prometheus.untilOnly(['TillwrightAlone'])

    // A processor and a directory server that are down.
    const paymentFlowId = await flowThroughDown(platform)
    const down = ['TillwrightProcessorFailing', 'TillwrightCircuitOpen', 'TillwrightThreedsUnanswered']
    const failing = await prometheus.until(down, async () => {
      for (let i = 0; i < 5; i += 1) await requestPayment(platform, { paymentInstrumentId: card, paymentFlowId })
      await requestPayment(platform, { paymentInstrumentId: card }, outageOf('processor'))
      await authenticateUnanswered(platform)
    })
    expect(failing.get('TillwrightCircuitOpen')?.annotations.summary).toMatch(/^1 processors are left alone/)

    // A database that takes no writes of workers, a payment whose process has died, a backup job and rotations that
    // no longer run: for a year and some days.
    await refuseUpdates(platform, ['webhook_deliveries', 'subscriptions'])
    await pay(platform, card)
    const leave = `UPDATE payments SET status = 'processing', lease_until = ? WHERE account_id = ?`
    await services.db.write([{ sql: leave, params: [clock.now() + 500 * DAY_MS, local.accountId] }])
    clock.advance(401 * DAY_MS)
    const wrong = await prometheus.until([
      'TillwrightBackupOld',
      'TillwrightFormKeyOld',
      'TillwrightKeyOld',
      'TillwrightRenewalsLate',
      'TillwrightUnresolved',
      'TillwrightWebhooksLate',
      'TillwrightWorkLate',
    ])
    expect(wrong.get('TillwrightBackupOld')).toMatchObject({
      labels: { severity: 'critical' },
      annotations: { summary: /401d/ },
    })

    await services.db.write([{ sql: 'ALTER TABLE last_backup RENAME TO gone', params: [] }])
    await prometheus.until(['TillwrightMetricsIncomplete'])

    // A log whose disk is full, and that is asked to keep more than waits for it.
    const log = createPlatformLog({ logLevel: 'info' }, '/dev/full')
    await prometheus.until(['TillwrightLogDropped'], async () => log.info('x'.repeat(17 * 2 ** 20)))

    // A process that hangs.
    await prometheus.until(['TillwrightEventLoopStuck'], async () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
    })

    await stop()
    const gone = (await prometheus.until(['TillwrightDown'])).get('TillwrightDown')
    expect(gone?.labels['instance']).toBe(new URL(metricsUrl ?? '').host)
  },
)

/** Has a component of the simulator give no answer to a request. */
const outageOf = (who: 'processor' | 'threeds') => ({ headers: { 'Tillwright-Fault': `${who}=outage` } })

/** Has a buyer authenticated by a directory server without an answer. */
async function authenticateUnanswered(platform: TestPlatform): Promise<void> {
  const { actionToken } = await newWaitingPayment(platform)
  const body = { actionToken, browser: browserData, methodCompletion: 'U' }
  await platform.vaultRequest('POST', contract.threedsFrame.authenticate.path, { body, ...outageOf('threeds') })
}

/** Has the database refuse what workers write, as a lock or a full table space would. */
async function refuseUpdates({ settings }: TestPlatform, tables: readonly string[]): Promise<void> {
  const query = (sql: string) => queryPostgres(settings['DATABASE_URL'] ?? '', sql)
  await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`)
  for (const table of tables) {
    await query(`CREATE TRIGGER refuse BEFORE UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse()`)
  }
}

test.skipIf(!hasPrometheus || server === null).each(inSoak)(
  'a real Prometheus fires while a database hangs and is away, and while bodies are refused',
  { timeout: 240_000 },
  async () => {
    const databaseUrl = await copyDatabase(server ?? '', inject('postgresTemplate'))
    onTestFinished(() => dropDatabase(server ?? '', databaseUrl))
    const network = await startFaultyProxy(Number(new URL(databaseUrl).port))
    onTestFinished(() => network.stop())
    const platform = await startTestPlatform({
      databaseUrl: network.through(databaseUrl),
      env: { TILLWRIGHT_METRICS_PORT: '0', TILLWRIGHT_BODY_DISK_MB: '64' },
    })
    onTestFinished(() => platform.remove())
    const prometheus = await startPrometheus([platform.metricsUrl ?? ''], 3)
    const read = () => platform.request('GET', contract.products.list.path).catch(() => null)
    await read()
    await prometheus.until(['TillwrightAlone'])

    await prometheus.until(['TillwrightBodiesRefused'], async () => {
      const sockets = [announceUpload(platform), announceUpload(platform), announceUpload(platform)]
      await delay(1_000)
      for (const end of sockets) end()
    })

    network.silence()
    let isHanging = true
    // Each waits for nine seconds at most.
    const waiting = Array.from({ length: 300 }, async () => {
      while (isHanging) await read()
    })
    await prometheus.until(['TillwrightDatabasePoolExhausted', 'TillwrightSlow'])
    isHanging = false
    network.heal()
    await Promise.all(waiting)

    network.refuse(true)
    network.cut()
    await prometheus.until(['TillwrightDatabaseUnavailable', 'TillwrightErrors'], read)
    network.refuse(false)
    await vi.waitFor(async () => expect((await read())?.status).toBe(200), { timeout: 30_000 })
  },
)

/** Announces files of 37 MB and sends nothing. @returns Hangs up. */
function announceUpload({ local }: TestPlatform): () => void {
  const headers = {
    Authorization: `Bearer ${local.apiKey}`,
    'Content-Type': 'application/json',
    'Content-Length': 37_000_000,
  }
  const sent = sendHead(local.apiUrl + contract.plugins.uploadAssets.path, { method: 'POST', headers, agent: false })
  sent.on('error', () => {})
  sent.flushHeaders()
  return () => sent.destroy()
}

test.skipIf(!hasPrometheus || server === null || FAKETIME === '').each(inSoak)(
  'a real Prometheus fires for processes with a wrong clock, too few descriptors, an old certificate, or that were asleep',
  { timeout: 240_000 },
  async () => {
    const place = await newPlace('postgres')
    const files = await mkdtemp(join(tmpdir(), 'certificates-'))
    onTestFinished(() => rm(files, { recursive: true }))
    const [one, two] = [await freePort(), await freePort()]
    const few = await startProcess(place, {
      through: ['sh', '-c', 'ulimit -n 256 && exec "$0" "$@"'],
      settings: { TILLWRIGHT_METRICS_PORT: String(one), ...channelFiles(files), TILLWRIGHT_VAULT_CHANNEL_PORT: '0' },
    })
    const clock = {
      LD_PRELOAD: FAKETIME,
      FAKETIME: '+120s',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    }
    const ahead = await startProcess(place, { settings: { TILLWRIGHT_METRICS_PORT: String(two), ...clock } })
    const prometheus = await startPrometheus([one, two].map((port) => `http://127.0.0.1:${port}/metrics`))
    const first = await prometheus.until(['TillwrightClockOff', 'TillwrightCertificateEnding'])
    expect(first.get('TillwrightClockOff')?.labels['instance']).toBe(`127.0.0.1:${two}`)

    await prometheus.until(['TillwrightConnectionsDropped'], async () => {
      const sockets = Array.from({ length: 300 }, () => open(few.local.apiUrl))
      await delay(500)
      for (const socket of sockets) socket.destroy()
    })

    process.kill(ahead.local.pid, 'SIGSTOP')
    await prometheus.until(['TillwrightAlone'])
    process.kill(ahead.local.pid, 'SIGCONT')
    const asleep = await prometheus.until(['TillwrightTakenForDead'])
    expect(asleep.get('TillwrightTakenForDead')?.labels['instance']).toBe(`127.0.0.1:${two}`)
  },
)

function open(url: string): Socket {
  return connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
}

test.skipIf(!hasPrometheus || !canMountDisk()).each(inSoak)(
  'a real Prometheus fires when the disk of a platform is almost full (needs to be root, to mount one)',
  { timeout: 120_000 },
  async () => {
    const disk = smallDisk(64)
    const home = join(disk, 'home')
    await mkdir(home)
    const port = await freePort()
    await startProcess({ home, databaseUrl: null }, { settings: { TILLWRIGHT_METRICS_PORT: String(port) } })
    const prometheus = await startPrometheus([`http://127.0.0.1:${port}/metrics`])
    await writeFile(join(disk, 'full'), Buffer.alloc(58 * 2 ** 20))
    expect((await prometheus.until(['TillwrightDiskFilling'])).get('TillwrightDiskFilling')?.labels['instance']).toBe(
      `127.0.0.1:${port}`,
    )
  },
)
