import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract, platformAlerts, type PlatformState, type Scope } from '@tillwright/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startReceiver } from '../../test/events/start-receiver.ts'
import { consoleHeaders, placeMember } from '../../test/console-browser.ts'
import { newInstrument, pay } from '../../test/pay-with-card.ts'
import { secondAccount } from '../../test/second-account.ts'
import { sharedPlatforms } from '../../test/shared-platforms.ts'
import { sharedPlatform, startTestPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'
import { withoutWebhooks } from '../../test/walk/table-digests.ts'
import { readConfig } from '../config.ts'
import { alertsOf, alertThresholds } from './alerts.ts'

const ADDRESS = contract.platform.get.path
const stateOf = (platform: TestPlatform) => platform.call(contract.platform.get, {})
const queueOf = async (platform: TestPlatform, name: PlatformState['queues'][number]['queue']) =>
  (await stateOf(platform)).queues.find(({ queue }) => queue === name) ?? expect.fail(`there is no ${name}`)

describe.each(testableEngines())('on %s', (engine) => {
  const platforms = sharedPlatforms(engine)
  const platform = () => platforms()[0]

  test('every process is seen, with its version, its heartbeat and its disk, and what is done by which', async () => {
    const count = platforms().length
    await expect
      .poll(async () => (await stateOf(platform())).processes.map(({ disk }) => disk !== null))
      .toEqual(platforms().map(() => true))
    const { processes, processId, queues, schema, keys, retention, alerts, backup } = await stateOf(platform())
    expect(new Set(processes.map(({ id }) => id)).size).toBe(count)
    expect(processes.map(({ id }) => id)).toContain(processId)
    for (const { roles, heartbeatAgeMs, schema: known } of processes) {
      expect(roles).toEqual(['all'])
      expect(heartbeatAgeMs).toBeLessThan(60_000)
      expect(known).toBe(schema.known)
    }
    expect(queues.find(({ queue }) => queue === 'renewals')?.workedAt).not.toBeNull()
    expect(schema.steps.every(({ state }) => state === 'done')).toBe(true)
    expect(keys.rings.map(({ ring, masterKeys }) => [ring, masterKeys])).toEqual([
      ['cards', 1],
      ['secrets', 1],
    ])
    expect(retention.find(({ kind }) => kind === 'sessions')).toMatchObject({ days: 30, due: 0, hasMore: false })
    expect([alerts, backup]).toEqual([[], null])
  })

  test('webhooks that a receiver leaves hanging are seen to wait, and are gone when it has answered', async () => {
    const { services, call } = platform()
    await withoutWebhooks(services.db)
    await services.db.write([{ sql: 'DELETE FROM webhook_deliveries', params: [] }])
    const answered = Promise.withResolvers<void>()
    const receiver = await startReceiver(() => answered.promise.then(() => ({ status: 204 })))
    const body = { url: `${receiver.url}/hooks`, eventTypes: ['s_dispute_won' as const], drafts: true }
    await call(contract.webhookEndpoints.create, { body })
    expect(await queueOf(platform(), 'webhooks')).toMatchObject({ waiting: 0, dueSince: null })
    for (let sent = 1; sent <= 3; sent += 1)
      await call(contract.eventLog.trigger, { body: { eventType: 's_dispute_won' } })
    await receiver.until(1)
    expect(await queueOf(platform(), 'webhooks')).toMatchObject({ waiting: 3, hasMore: false })
    answered.resolve()
    await expect.poll(async () => (await queueOf(platform(), 'webhooks')).waiting).toBe(0)
  })

  test('a payment without an outcome is listed with its account, its age and its process', async () => {
    const { services, local, clock } = platform()
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const { id } = await pay(platform(), paymentInstrumentId)
    const { id: processId } = services.cluster.self
    const change = (status: string, ...params: readonly (string | number)[]) =>
      services.db.write([
        {
          sql: `UPDATE payments SET status = ?, holder = ?, lease_until = ?, updated_at = ? WHERE account_id = ? AND id = ?`,
          params: [status, ...params, local.accountId, id],
        },
      ])
    const sinceMs = clock.now() - 180_000
    await change('processing', processId, clock.now() + 60_000, sinceMs)
    const { recovery, alerts } = await stateOf(platform())
    await change('succeeded', '', 0, sinceMs)
    const since = new Date(sinceMs).toISOString()
    expect(recovery).toEqual({
      underWay: [{ kind: 'payment', accountId: local.accountId, paymentId: id, since, processId }],
      hasMore: false,
    })
    expect(alerts).toEqual([{ rule: 'TillwrightUnresolved', about: 'payments', since }])
    expect((await stateOf(platform())).recovery.underWay).toEqual([])
  })
})

describe('who may read it', () => {
  const platform = sharedPlatform()
  const read = async (key: string) => {
    const answer = await platform().request('GET', ADDRESS, { key })
    return answer.status === 200 ? 200 : answer.error.code
  }
  const keyWith = (...scopes: Scope[]) => platform().addKey({ scopes })

  test("of the operator's account the keys that were given it by name, and those of org:admin", async () => {
    const { local, addKey } = platform()
    expect(await read(local.adminApiKey)).toBe(200)
    expect(await read(await keyWith('platform:read'))).toBe(200)
    expect(await read(local.apiKey)).toBe('role_required')
    expect(await read(await addKey({ roles: ['org:member'] }))).toBe('role_required')
    expect(await read(await addKey({ roles: ['org:read'] }))).toBe('role_required')
    expect(await read(await keyWith('payments:read'))).toBe('role_required')
  })

  test('no one of another account, not its owner and not its key of org:admin, whatever scopes it has', async () => {
    const other = await secondAccount(platform())
    const refusalOf = async (sent: Parameters<TestPlatform['request']>[2]) => {
      const { status, error, text } = await other.request('GET', ADDRESS, sent)
      expect(text).not.toContain('proc_')
      return [status, error.code]
    }
    const refused = [403, 'operator_required']
    expect(await refusalOf({ key: other.local.adminApiKey })).toEqual(refused)
    expect(await refusalOf({ key: await other.addKey({ scopes: ['platform:read'] }) })).toEqual(refused)
    const { token } = await placeMember(other)
    const headers = consoleHeaders(platform(), token)
    expect(await refusalOf({ key: '', headers })).toEqual(refused)
    const profile = await other.request('GET', contract.me.get.path, { key: '', headers })
    expect(profile.status).toBe(200)
    expect(profile.text).not.toContain('platform')
  })

  test('in production no one, unless a setting names the account', async () => {
    const production = await startTestPlatform({ environment: 'production' })
    onTestFinished(() => production.remove())
    const { status, error } = await production.request('GET', ADDRESS, { key: production.local.adminApiKey })
    expect([status, error.code]).toEqual([403, 'operator_required'])
    expect(() => readConfig({ TILLWRIGHT_OPERATOR_ACCOUNT: 'Bikes' })).toThrow('must be the id of an account')
  })
})

describe('what needs attention', () => {
  const platform = sharedPlatform()
  const DAY_MS = 86_400_000

  test('is reported by the thresholds of the alert rules', async () => {
    const file = join(import.meta.dirname, '../../../../operate/prometheus/alerts.yml')
    const { groups } = parse(readFileSync(file, 'utf8'))
    for (const rule of platformAlerts) {
      const { expr } = groups[0].rules.find(({ alert }: { alert?: string }) => alert === rule)
      const [, factors = ''] = /[<>] ([\d. *]+)/.exec(expr) ?? []
      const threshold = factors.split('*').reduce((product, factor) => product * Number(factor), 1)
      expect([rule, alertThresholds[rule]]).toEqual([rule, threshold])
    }
  })

  test('a worker that fails each time is late, though others of its name go on', async () => {
    const broken = await startTestPlatform()
    onTestFinished(() => broken.remove())
    const workedAt = async () => (await queueOf(broken, 'payments')).workedAt
    await expect.poll(workedAt).not.toBeNull()
    await broken.services.db.write([{ sql: 'ALTER TABLE threeds_sessions RENAME TO away', params: [] }])
    const late = async () => {
      broken.clock.advance(61_000)
      return (await stateOf(broken)).alerts.map(({ rule, about }) => `${rule} ${about}`)
    }
    await expect.poll(late, { timeout: 20_000 }).toEqual(['TillwrightWorkLate payments'])
  })

  test('names the rule and what it is about, and nothing a moment before', async () => {
    const now = await stateOf(platform())
    const ago = (ms: number) => new Date(Date.parse(now.at) - ms).toISOString()
    const rules = (changed: Partial<PlatformState>) =>
      alertsOf({ ...now, ...changed }).map(({ rule, about }) => `${rule} ${about}`.trim())
    const withQueue = (queue: string, changed: object) => ({
      queues: now.queues.map((each) => (each.queue === queue ? { ...each, ...changed } : each)),
    })
    const withProcess = (changed: object) => ({ processes: now.processes.map((each) => ({ ...each, ...changed })) })
    const backup = (takenAt: string) => ({ backup: { takenAt, version: '1.0.0', missingFiles: 0, provedAt: null } })
    const [process] = now.processes
    expect(rules({})).toEqual([])
    expect(rules(withQueue('webhooks', { dueSince: ago(300_000) }))).toEqual([])
    expect(rules(withQueue('webhooks', { dueSince: ago(300_001) }))).toEqual(['TillwrightWebhooksLate webhooks'])
    expect(rules(withQueue('renewals', { dueSince: ago(3_600_001) }))).toEqual(['TillwrightRenewalsLate renewals'])
    expect(rules(withQueue('sealing', { workedAt: ago(600_001) }))).toEqual(['TillwrightWorkLate sealing'])
    expect(rules(withProcess({ clockOffsetMs: -2_001 }))).toEqual([`TillwrightClockOff ${process?.name}`])
    expect(rules(withProcess({ disk: { freeBytes: 9, sizeBytes: 100 } }))).toEqual([
      `TillwrightDiskFilling ${process?.name}`,
    ])
    expect(rules({ engine: 'postgres', environment: 'production' })).toEqual(['TillwrightAlone'])
    expect(rules(backup(ago(26 * 3_600_000)))).toEqual([])
    expect(rules(backup(ago(26 * 3_600_000 + 1)))).toEqual(['TillwrightBackupOld backup'])
    const rings = now.keys.rings.map((ring) => ({ ...ring, masterKeyAt: ago(401 * DAY_MS) }))
    expect(rules({ keys: { rings, cardFormAt: ago(101 * DAY_MS) } })).toEqual([
      'TillwrightKeyOld cards_master',
      'TillwrightKeyOld secrets_master',
      'TillwrightFormKeyOld card_form',
    ])
  })
})
