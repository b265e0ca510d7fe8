import { expect, test } from 'vitest'
import { openVault, type TestVault } from '../../test/vault/open-vault.ts'
import { seededRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { CodeKeys } from './code-keys.ts'
import { CODE_TTL_MS } from './service-tokens.ts'
import { newKeyPair } from './hpke.ts'
import { keepCode, type SealedCode, securityCodes } from './sealed-codes.ts'

const owner = { accountId: 'acc_1', cardId: 'card_1' }
const MINUTE_MS = 60_000

/** A vault whose processes share a database, as they do on PostgreSQL. */
async function sharedVault() {
  const vault = await openVault()
  const db = { ...vault.services.db, engine: 'postgres' as const }
  const services = { ...vault.services, db }
  const start = async () => {
    const keys = new CodeKeys(services)
    await keys.look()
    return { keys, codes: securityCodes(services, keys) }
  }
  const rows = (table: string) => db.read(`SELECT * FROM ${table}`, [])
  return { ...vault, services, start, rows }
}

test('what one process has sealed every other one opens, from the first code on', async () => {
  const { start } = await sharedVault()
  const processes = [await start(), await start(), await start()]
  for (const [n, { codes }] of processes.entries()) {
    const sealed = await codes.seal(`12${n}`, owner)
    for (const other of processes) expect(await other.codes.open(sealed, owner)).toBe(`12${n}`)
  }
})

test('a key is written for its peers before the first code is sealed under it', async () => {
  const { start, rows } = await sharedVault()
  const [one] = [await start(), await start(), await start()]
  const asked = one.codes.seal('123', owner)
  expect(await rows('code_key_wraps')).toEqual([])
  await asked
  expect(await rows('code_key_wraps')).toHaveLength(2)
})

test('keys on their way are deleted as soon as they have arrived', async () => {
  const { start, rows } = await sharedVault()
  const [one, two] = [await start(), await start()]
  const sealed = await one.codes.seal('123', owner)
  await two.keys.look()
  expect(await rows('code_key_wraps')).toEqual([])
  expect(await two.codes.open(sealed, owner)).toBe('123')
})

test('a process that joins later is given the keys by any peer that lives', async () => {
  const { start, clock } = await sharedVault()
  const [one, two] = [await start(), await start()]
  const sealed = await one.codes.seal('123', owner)
  await two.keys.look()
  clock.advance(2 * MINUTE_MS)
  const three = await start() // the first is dead by now
  const opened = three.codes.open(sealed, owner)
  await two.keys.look()
  expect(await opened).toBe('123')
})

test('a process that stops in order hands over what its peers lack', async () => {
  const { start, rows } = await sharedVault()
  const one = await start()
  const sealed = await one.codes.seal('123', owner)
  const two = await start()
  await one.keys.stop()
  expect(await two.codes.open(sealed, owner)).toBe('123')
  expect([one.keys.size, (await rows('code_recipients')).length]).toEqual([0, 1])
})

test('when every process has ended, database and master key open nothing', async () => {
  const { start, services, rows } = await sharedVault()
  const [one, two] = [await start(), await start()]
  const sealed = await one.codes.seal('123', owner)
  const [wraps, recipients] = [await rows('code_key_wraps'), await rows('code_recipients')]
  await Promise.all([one.keys.stop(), two.keys.stop()])
  // Everything that was ever in the database is there again, and the same master key.
  await services.db.write(wraps.map((row) => restored('code_key_wraps', row)))
  await services.db.write(recipients.map((row) => restored('code_recipients', row)))
  const successor = securityCodes(services, new CodeKeys(services))
  expect(await Promise.race([successor.open(sealed, owner), tick()])).not.toBe('123')
})

test('a code opens for its card and its time alone', async () => {
  const { start, clock } = await sharedVault()
  const { codes } = await start()
  const sealed = await codes.seal('123', owner)
  expect(await codes.open(sealed, { ...owner, cardId: 'card_2' })).toBeNull()
  expect(await codes.open(sealed, { ...owner, accountId: 'acc_2' })).toBeNull()
  expect(await codes.open({ ...sealed, expiresAtMs: sealed.expiresAtMs + 1 }, owner)).toBeNull()
  clock.advance(CODE_TTL_MS - 1)
  expect(await codes.open(sealed, owner)).toBe('123')
  clock.advance(1)
  expect(await codes.open(sealed, owner)).toBeNull()
})

test('each minute has a key of its own, and no key outlives its codes by more than a minute', async () => {
  const { start, clock } = await sharedVault()
  const [one, two] = [await start(), await start()]
  const ids = new Set<string>()
  for (let minute = 0; minute < 30; minute++) {
    ids.add((await one.codes.seal('123', owner)).keyId)
    await Promise.all([one.keys.look(), two.keys.look()])
    expect(two.keys.size).toBe(one.keys.size)
    expect(one.keys.size).toBeLessThanOrEqual(17)
    clock.advance(MINUTE_MS)
  }
  expect(ids.size).toBe(30)
  clock.advance(CODE_TTL_MS + MINUTE_MS)
  await Promise.all([one.keys.look(), two.keys.look()])
  expect([one.keys.size, two.keys.size]).toEqual([0, 0])
})

test('a process that was stopped for long is given keys again', async () => {
  const { start, clock } = await sharedVault()
  const [one, two] = [await start(), await start()]
  for (let minute = 0; minute < 5; minute++) {
    clock.advance(MINUTE_MS)
    await one.keys.look()
  }
  const missed = await one.codes.seal('123', owner)
  await two.keys.look()
  await one.keys.look()
  expect(await two.codes.open(missed, owner)).toBe('123')
})

test('a process that can only write to the database gets no key, and gives none', async () => {
  const { start, services, logged } = await sharedVault()
  const { publicKey } = newKeyPair()
  const [one, two] = [await start(), await start()]
  await services.db.write([
    {
      sql: `INSERT INTO code_recipients (process_id, pair_id, public_key, joined_at, expires_at, proof)
        SELECT 'stranger', 'pair', ?, joined_at, expires_at, proof FROM code_recipients LIMIT 1`,
      params: [Buffer.from(publicKey).toString('base64')],
    },
  ])
  // One with another master key, who has everything else right.
  const randomness = seededRandomness('stranger')
  const foreign = { ...services, cardKeys: secretBox(new Uint8Array(32).fill(9), randomness) }
  const stranger = new CodeKeys(foreign)
  await stranger.look()
  const sealed = await one.codes.seal('123', owner)
  const given = await services.db.read('SELECT process_id FROM code_key_wraps', [])
  expect(given).toHaveLength(1)
  expect(logged.join('')).toContain('does not hold the vault’s key')
  expect(await two.codes.open(sealed, owner)).toBe('123')
  const forged = await securityCodes(foreign, stranger).seal('666', owner)
  expect(await Promise.race([two.codes.open(forged, owner), tick()])).not.toBe('666')
})

test('on the embedded database nothing is written but the code', async () => {
  const { services, clock } = await openVault()
  const keys = new CodeKeys(services)
  const codes = securityCodes(services, keys)
  const sealed = await codes.seal('123', owner)
  await keys.look()
  expect(await codes.open(sealed, owner)).toBe('123')
  expect(await tables(services)).toEqual([[], [], []])
  clock.advance(CODE_TTL_MS + 2 * MINUTE_MS)
  await keys.look()
  expect(keys.size).toBe(0)
})

test('a code of which a copy was altered in the database is not sent', async () => {
  const { services } = await openVault()
  const codes = securityCodes(services, new CodeKeys(services))
  const { sealed, ...rest } = await codes.seal('123', owner)
  const altered: SealedCode = { ...rest, sealed: `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}` }
  await services.db.write([keepCode({ accountId: 'acc_1', codeId: 'card_1' }, altered)])
  expect(await codes.open(altered, owner)).toBeNull()
})

function tables({ db }: TestVault['services']) {
  const names = ['security_codes', 'code_recipients', 'code_key_wraps']
  return Promise.all(names.map((name) => db.read(`SELECT * FROM ${name}`, [])))
}

function restored(table: string, row: Readonly<Record<string, string | number | null>>) {
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks}) ON CONFLICT DO NOTHING`
  return { sql, params: Object.values(row) }
}

/** Long enough for what is there to be found; a process that has just started would wait for more. */
async function tick(): Promise<null> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
  return null
}
