import { describe, expect, test } from 'vitest'
import { openEvents, testableEngines } from '../../test/events/open-events.ts'
import { announceAudit } from '../events/index.ts'
import type { Database } from '../storage/index.ts'
import { pruneAudit } from './prune.ts'
import { recordNow, worker } from './record.ts'
import { sealAll, unsealedEntries } from './seal.ts'
import { auditHeads, verifyAudit } from './verify.ts'

const KEPT_MS = 400 * 86_400_000
const DAY_MS = 86_400_000

describe.each(testableEngines())('on %s', (engine) => {
  async function open() {
    const events = await openEvents(engine)
    const { services, clock } = events
    const seal = (announce = async () => []) => sealAll({ ...services, announce })
    const change = async (id: string, accountId = 'acc_1') => {
      const resource = { type: 'product', id }
      const recorded = recordNow(
        { accountId, actor: worker('test'), operation: 'products.create', resource, after: { id, name: 'Tote' } },
        services,
      )
      await services.db.write(recorded)
    }
    const sql = (text: string) => services.db.write([{ sql: text, params: [] }])
    const problems = async () => (await verifyAudit(services)).flatMap((verdict) => verdict.problems)
    return { ...events, services, clock, seal, change, sql, problems }
  }

  /** Three seals of two entries each. */
  async function sealed() {
    const parts = await open()
    for (const name of ['a', 'b', 'c']) {
      await parts.change(`product_${name}1`)
      await parts.change(`product_${name}2`)
      await parts.seal()
      parts.clock.advance(1_000)
    }
    return parts
  }

  test('entries are sealed in order, each account by itself, and the whole log fits', async () => {
    const { services, change, seal, problems } = await open()
    expect(await verifyAudit(services)).toEqual([])
    await change('product_1')
    await change('product_2', 'acc_2')
    expect(await verifyAudit(services)).toMatchObject([
      { accountId: 'acc_1', entries: 0, unsealed: 1, problems: [] },
      { accountId: 'acc_2', entries: 0, unsealed: 1, problems: [] },
    ])
    const [first, second] = await seal()
    expect([first?.sequence, second?.sequence]).toEqual([1, 1])
    await change('product_3')
    const [third] = await seal()
    expect(third).toMatchObject({ accountId: 'acc_1', sequence: 2, previous: first?.hash })
    expect(await seal()).toEqual([])
    expect(await problems()).toEqual([])
    expect(await auditHeads(services)).toEqual([
      { accountId: 'acc_1', sequence: 2, hash: third?.hash },
      { accountId: 'acc_2', sequence: 1, hash: second?.hash },
    ])
  })

  /** A database that does something each time before it is asked for something. */
  function before(db: Database, asked: string, act: () => Promise<unknown>): Database {
    return Object.assign(Object.create(db), {
      read: async (...query: Parameters<Database['read']>) => {
        if (query[0].includes(asked)) await act()
        return db.read(...query)
      },
    })
  }

  test('an entry that is sealed while the log is verified is no entry that was put in', async () => {
    const { services, change, seal } = await open()
    await change('product_1')
    const db = before(services.db, 'FROM audit_unsealed', seal)
    expect(await verifyAudit({ ...services, db })).toMatchObject([{ entries: 1, problems: [] }])
  })

  test('a seal that another process makes while this one looks is no sign of a change', async () => {
    const { services, change, seal, logged, problems } = await open()
    const db = before(services.db, 'FROM audit_seals', seal)
    for (const id of ['first', 'second']) {
      await change(`product_${id}`)
      expect(await sealAll({ ...services, db, announce: async () => [] })).toEqual([])
    }
    expect(logged.filter((line) => line.includes('was changed'))).toEqual([])
    expect(await problems()).toEqual([])
  })

  test('a log whose oldest entries are deleted while it is verified is whole', async () => {
    const { services, clock, change, seal } = await sealed()
    clock.advance(KEPT_MS + DAY_MS)
    await change('product_late')
    await seal()
    const db = before(services.db, 'FROM audit_seals', () => pruneAudit(clock.now() - KEPT_MS, services))
    expect(await verifyAudit({ ...services, db })).toMatchObject([{ entries: 1, prunedUpTo: 3, problems: [] }])
  })

  test('of two processes that seal at once one is refused, and every entry is sealed once', async () => {
    const { services, change, seal } = await open()
    for (let at = 0; at < 20; at++) await change(`product_${at}`)
    await Promise.all([seal(), seal(), seal()])
    expect(await verifyAudit(services)).toMatchObject([{ entries: 20, unsealed: 0, problems: [] }])
  })

  test('entries that are committed together are counted, proved and sealed each by itself', async () => {
    const { services, change, seal, sql, problems } = await open()
    const accounts = ['acc_1', 'acc_2']
    await Promise.all(
      Array.from({ length: 2_600 }, (_, at) => change(`product_${at}`, accounts[at % 13 === 0 ? 1 : 0])),
    )
    expect((await unsealedEntries(services.db)).waiting).toBe(2_600)
    const each = (waits: boolean) =>
      [2_400, 200].map((total, at) => ({
        accountId: accounts[at],
        entries: waits ? 0 : total,
        unsealed: waits ? total : 0,
        problems: [],
      }))
    expect(await verifyAudit(services)).toMatchObject(each(true))
    await sql(`UPDATE audit_entries SET actor_id = 'x' WHERE resource_id = 'product_1234'`)
    expect(await problems()).toMatchObject([{ sequence: null, problem: 'this entry was changed' }])
    await sql(`UPDATE audit_entries SET actor_id = 'test' WHERE resource_id = 'product_1234'`)
    const seals = await seal()
    const sizes = seals.filter(({ accountId }) => accountId === 'acc_1').map(({ entries }) => entries.length)
    expect(sizes.length).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThan(2_100)
    expect(await verifyAudit(services)).toMatchObject(each(false))
    expect(await unsealedEntries(services.db)).toEqual({ waiting: 0, sinceMs: null })
  })

  const entry = (id: string) => `(SELECT id FROM audit_entries WHERE resource_id = '${id}')`

  test.each([
    ['an entry is removed', `DELETE FROM audit_entries WHERE resource_id = 'product_b1'`, 'this entry was removed', 2],
    [
      'who did it is changed',
      `UPDATE audit_entries SET actor_id = 'x' WHERE resource_id = 'product_b2'`,
      'this entry was changed',
      2,
    ],
    [
      'what was changed is changed',
      `UPDATE audit_entries SET changes = '{}' WHERE resource_id = 'product_a1'`,
      'this entry was changed',
      1,
    ],
    [
      'what was changed is erased without a record',
      `UPDATE audit_entries SET changes = NULL, erased_by = 'aud_x' WHERE resource_id = 'product_a1'`,
      'this entry was changed',
      1,
    ],
    ['a seal is removed', 'DELETE FROM audit_seals WHERE sequence = 2', 'seals 2 to 2 were removed', 3],
    ['the first seal is removed', 'DELETE FROM audit_seals WHERE sequence = 1', 'seals 1 to 1 were removed', 2],
    ['the last seal is removed', 'DELETE FROM audit_seals WHERE sequence = 3', 'seals 3 to 3 were removed', 3],
    ['a seal is changed', `UPDATE audit_seals SET entries = '[]' WHERE sequence = 2`, 'this seal was changed', 2],
    [
      'a beginning is claimed',
      'UPDATE audit_chains SET pruned_sequence = 1',
      'the record of where the log begins and ends was changed',
      null,
    ],
    [
      'an end is claimed',
      'UPDATE audit_chains SET head_sequence = 2',
      'the record of where the log begins and ends was changed',
      null,
    ],
  ])('that %s shows', async (...[, text, problem, sequence]) => {
    const { sql, problems } = await sealed()
    expect(await problems()).toEqual([])
    await sql(text)
    expect((await problems())[0]).toMatchObject({ accountId: 'acc_1', sequence, problem })
  })

  test('an entry that is put in shows, as does one that is changed before it is sealed', async () => {
    const { change, sql, problems } = await sealed()
    const columns = `account_id, actor_kind, actor_id, operation, changes, changes_mac, mac, created_at`
    await sql(`INSERT INTO audit_entries (id, ${columns}) SELECT 'aud_forged', ${columns} FROM audit_entries
      WHERE id = ${entry('product_a1')}`)
    expect(await problems()).toMatchObject([{ entryId: 'aud_forged', problem: expect.stringContaining('was put in') }])
    await sql(`DELETE FROM audit_entries WHERE id = 'aud_forged'`)
    await change('product_d1')
    await sql(`UPDATE audit_entries SET actor_id = 'x' WHERE resource_id = 'product_d1'`)
    expect(await problems()).toMatchObject([{ sequence: null, problem: 'this entry was changed' }])
  })

  test('nothing is built upon a log that was changed', async () => {
    const { change, seal, sql, logged } = await sealed()
    await sql(
      `UPDATE audit_chains SET head_sequence = 2, head_hash = (SELECT hash FROM audit_seals WHERE sequence = 2)`,
    )
    await sql('DELETE FROM audit_seals WHERE sequence = 3')
    await change('product_d1')
    expect(await seal()).toEqual([])
    expect(logged.some((line) => line.includes('the audit log was changed'))).toBe(true)
  })

  test('a log that is cut off with its end, as it once was, shows against an end that was kept elsewhere', async () => {
    const { services, change, seal, sql, problems } = await sealed()
    const earlier = await services.db.read('SELECT * FROM audit_chains', [])
    await change('product_d1')
    await seal()
    const kept = await auditHeads(services)
    await sql('DELETE FROM audit_seals WHERE sequence = 4')
    await sql(`DELETE FROM audit_entries WHERE resource_id = 'product_d1'`)
    const [row] = earlier
    await services.db.write([
      {
        sql: 'UPDATE audit_chains SET head_sequence = ?, head_hash = ?, mac = ?',
        params: [row?.['head_sequence'] ?? null, row?.['head_hash'] ?? null, row?.['mac'] ?? null],
      },
    ])
    expect(await problems()).toEqual([])
    const [verdict] = await verifyAudit(services, { kept })
    expect(verdict?.problems).toMatchObject([{ problem: 'the log was cut off: seal 4 was kept elsewhere' }])
    for (const table of ['audit_entries', 'audit_seals', 'audit_chains']) await sql(`DELETE FROM ${table}`)
    expect((await verifyAudit(services, { kept }))[0]?.problems).toMatchObject([
      { problem: expect.stringContaining('the whole log was removed') },
    ])
  })

  test('entries whose time is over are deleted with their seals, and the rest is whole', async () => {
    const { services, clock, change, seal } = await sealed()
    await pruneAudit(clock.now() - KEPT_MS, services)
    expect(await verifyAudit(services)).toMatchObject([{ entries: 6, prunedUpTo: 0 }])
    clock.advance(KEPT_MS - DAY_MS)
    await change('product_late')
    await seal()
    clock.advance(2 * DAY_MS)
    await pruneAudit(clock.now() - KEPT_MS, services)
    await seal()
    const [verdict] = await verifyAudit(services)
    expect(verdict).toMatchObject({ entries: 2, unsealed: 0, prunedUpTo: 3, problems: [] })
    const rows = await services.db.read('SELECT operation FROM audit_entries ORDER BY id', [])
    expect(rows.map(({ operation }) => operation)).toEqual(['products.create', 'audit.prune'])
  })

  test('an endpoint that names the type gets each entry, one of all events does not', async () => {
    const { services, change, seal, addEndpoint, deliveries } = await open()
    const announce = announceAudit(services)
    const sealing = () => sealAll({ ...services, announce })
    await addEndpoint('https://all.example')
    await change('product_1', 'acc_1')
    await sealing()
    const auditEvents = () => services.db.read(`SELECT * FROM events WHERE event_type = 's_audit_recorded'`, [])
    expect(await auditEvents()).toEqual([])
    const { endpoint } = await addEndpoint('https://audit.example', { eventTypes: ['s_audit_recorded'] })
    await change('product_2', 'acc_1')
    const [made] = await sealing()
    const [event, ...others] = await auditEvents()
    expect(others).toEqual([])
    expect(JSON.parse(String(event?.['properties']))).toMatchObject({
      operation: 'products.create',
      resourceId: 'product_2',
      sealSequence: made?.sequence,
      sealHash: made?.hash,
    })
    expect((await deliveries(String(event?.['id']))).map((row) => row['endpoint_id'])).toEqual([endpoint.id])
    await seal()
  })
})
