import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newInstrument, pay, serviceToken } from '../../test/pay-with-card.ts'
import { sharedPlatform, startTestPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'
import { contract } from '@tillwright/contract'
import { readConfig } from '../config.ts'
import { openOperator, type Operator } from '../operator/operator.ts'
import { sealedColumns } from '../platform-keys.ts'
import { KEPT_FOR_MS, resealAll } from './reseal.ts'
import type { Ring } from './key-provider.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('after a rotation all rows are under the new key, old cards pay, and tokens of before are accepted', async () => {
    const former = await newInstrument(platform())
    const token = await serviceToken(platform())
    for (const ring of ['cards', 'secrets'] as const) await rotated(platform(), ring)
    expect(await boxesUnder(platform(), 1)).toBe(0)
    expect(await boxesUnder(platform(), 2)).toBeGreaterThan(3)
    expect((await pay(platform(), former.id)).status).toBe('succeeded')
    const body = { serviceToken: token, storeId: platform().local.storeId }
    const { paymentInstrument } = await platform().call(contract.paymentInstruments.createFromToken, {
      body: { ...body, customerData: { email: 'b@shop.example', firstName: 'B', lastName: 'C' } },
    })
    expect((await pay(platform(), paymentInstrument.id)).status).toBe('succeeded')
  })

  test('equal numbers have equal fingerprints across a rotation', async () => {
    await newInstrument(platform())
    await rotated(platform(), 'cards')
    await newInstrument(platform())
    const rows = await platform().services.db.read(
      'SELECT fingerprint, COUNT(*) AS times FROM cards GROUP BY fingerprint',
      [],
    )
    expect(rows).toHaveLength(1)
  })

  test('a former key is destroyed eight days after all rows have left it, and nothing needs it any more', async () => {
    const instrument = await newInstrument(platform())
    const ring = 'cards'
    const version = await rotated(platform(), ring)
    platform().clock.advance(KEPT_FOR_MS)
    await reseal(platform())
    const status = await operating(platform(), ({ encryption }) => encryption.status())
    const keys = status.find((each) => each.ring === ring)?.dataKeys ?? []
    expect(keys.filter(({ state }) => state === 'in use').map((key) => key.version)).toEqual([0, version])
    expect(keys.filter(({ state }) => state === 'destroyed').length).toBe(version - 1)
    const wraps = await platform().services.db.read('SELECT version FROM data_key_wraps WHERE ring = ?', [ring])
    expect(wraps.map((row) => row['version']).toSorted()).toEqual([0, version])
    expect((await pay(platform(), instrument.id)).status).toBe('succeeded')
  })

  test('the master key is replaced without touching a row, and processes start with either until that is ended', async () => {
    const own = await started({ engine })
    const instrument = await newInstrument(own)
    const [path, before] = [await newKeyFile(), await boxes(own)]
    const renewed = { TILLWRIGHT_VAULT_KEY: `file:${path}` }
    await operating(own, ({ encryption }) => encryption.replaceMaster('cards', `file:${path}`))
    expect(await boxes(own)).toEqual(before)
    await operating(own, async ({ encryption }) => {
      await expect(encryption.rotate('cards')).rejects.toThrow('--finish')
    })
    await operating(own, ({ encryption }) => encryption.status(), renewed)
    await operating(own, ({ encryption }) => encryption.finish('cards'), renewed)
    expect((await pay(own, instrument.id)).status).toBe('succeeded') // a running process has the data keys in memory
    await expect(operating(own, ({ encryption }) => encryption.status())).rejects.toThrow(
      /^TILLWRIGHT_VAULT_KEY: the cards of this database were sealed under the master key [0-9a-f]{8} \(file .*\), and the one given is [0-9a-f]{8}/,
    )
    const [status] = await operating(own, ({ encryption }) => encryption.status(), renewed)
    expect(status?.masterKeys).toEqual([expect.objectContaining({ place: `file ${path}` })])
  })

  test('the replacement of a master key ends with the settings of the new one alone, and is taken back with those of the former', async () => {
    const own = await started({ engine })
    const path = await newKeyFile()
    const renewed = { TILLWRIGHT_VAULT_KEY: `file:${path}` }
    const masters = () =>
      operating(own, async ({ encryption }) => {
        const [status] = await encryption.status()
        return status?.masterKeys.length
      })
    await operating(own, ({ encryption }) => encryption.replaceMaster('cards', `file:${path}`))
    await expect(operating(own, ({ encryption }) => encryption.finish('cards'))).rejects.toThrow(
      /^--finish: the settings still have the former master key [0-9a-f]{8} \(.*\), which [0-9a-f]{8} \(file .*\) replaces\./,
    )
    await expect(operating(own, ({ encryption }) => encryption.undo('cards'), renewed)).rejects.toThrow(
      /^--undo: the settings have the new master key/,
    )
    expect(await masters()).toBe(2)
    await operating(own, ({ encryption }) => encryption.undo('cards'))
    expect(await masters()).toBe(1)
    await expect(operating(own, ({ encryption }) => encryption.undo('cards'))).rejects.toThrow('nothing to end')
  })

  test('a process that was left under a former master key says at the next rotation what it cannot open', async () => {
    const own = await started({ engine })
    const path = await newKeyFile()
    const renewed = { TILLWRIGHT_VAULT_KEY: `file:${path}` }
    await operating(own, ({ encryption }) => encryption.replaceMaster('cards', `file:${path}`))
    await operating(own, ({ encryption }) => encryption.finish('cards'), renewed)
    await operating(own, ({ encryption }) => encryption.rotate('cards'), renewed)
    const said = () => own.logged.filter((line) => line.includes('new data keys could not be read'))
    await expect.poll(() => said().length, { timeout: 20_000 }).toBe(1)
    expect(said()[0]).toContain('TILLWRIGHT_VAULT_KEY: the cards of this database were sealed under the master key')
  })

  test('every use of a key is counted, by purpose and key', async () => {
    const own = await started({ engine })
    const instrument = await newInstrument(own)
    const opened = () =>
      own.keys.uses().find((use) => use.operation === 'open' && use.purpose === 'card key')?.count ?? 0
    const before = opened()
    await pay(own, instrument.id)
    await pay(own, instrument.id)
    expect(opened()).toBe(before + 2)
    const counted = own.keys.uses()
    await own.stop()
    const [status] = await operating(own, ({ encryption }) => encryption.status())
    const total = status?.uses.find((use) => use.operation === 'open' && use.purpose === 'card key')?.total
    expect(total).toBe(counted.find((use) => use.operation === 'open' && use.purpose === 'card key')?.count)
    expect(counted).toContainEqual({
      ring: 'cards',
      version: 0,
      purpose: 'card fingerprint',
      operation: 'mac',
      count: 1,
    })
    expect(counted.filter(({ operation }) => operation === 'unwrap').map(({ ring }) => ring)).toEqual([
      'cards',
      'cards',
      'secrets',
      'secrets',
    ])
    await own.restart()
  })

  test('rows are sealed again from where it was stopped, and two processes share the work', async () => {
    const own = await started({ engine })
    await newInstrument(own)
    await manyCards(own, 1_100)
    await operating(own, ({ encryption }) => encryption.rotate('cards'))
    await own.keys.cards?.refresh()
    own.clock.advance(60_000)
    const stopping = new AbortController()
    const { db } = own.services
    const write = db.write.bind(db)
    let batches = 0
    db.write = async (transaction) => {
      const isBatch = transaction.some(({ sql }) => sql.includes('UPDATE reseals'))
      // The platform's own worker is held up as well.
      if (isBatch && batches >= 2)
        return { outcome: 'refused', statement: transaction.length - 1, reason: 'expectation' }
      const outcome = await write(transaction)
      if (isBatch && ++batches === 2) stopping.abort()
      return outcome
    }
    await resealAll({ ...working(own) }, stopping.signal)
    expect(await boxesUnder(own, 1)).toBeGreaterThan(500)
    batches = Number.NEGATIVE_INFINITY
    await Promise.all([resealAll(working(own)), resealAll(working(own))])
    const cards = await db.read('SELECT COUNT(*) AS left_over FROM cards WHERE sealed_key LIKE ?', ['1:%'])
    expect(Number(cards[0]?.['left_over'])).toBe(0)
    const [status] = await operating(own, ({ encryption }) => encryption.status())
    expect(status?.reseals).toContainEqual({ place: 'cards.sealed_key', version: 2, resealed: 1_101, isDone: true })
  })
})

async function started(options: Parameters<typeof startTestPlatform>[0]): Promise<TestPlatform> {
  const platform = await startTestPlatform(options)
  onTestFinished(() => platform.remove())
  return platform
}

function working(platform: TestPlatform) {
  return { db: platform.services.db, clock: platform.clock, rings: platform.keys.all, columns: sealedColumns }
}

async function reseal(platform: TestPlatform): Promise<void> {
  await resealAll(working(platform))
  await Promise.all(platform.keys.all.map((ring) => ring.refresh()))
}

/** Rotates a data key and seals everything again. */
async function rotated(platform: TestPlatform, ring: Ring): Promise<number> {
  platform.clock.advance(60_000)
  const { dataKey } = await operating(platform, ({ encryption }) => encryption.rotate(ring))
  await platform.keys[ring]?.refresh()
  platform.clock.advance(60_000)
  await reseal(platform)
  return dataKey ?? 0
}

async function operating<Result>(
  platform: TestPlatform,
  work: (operator: Operator) => Promise<Result>,
  settings: Record<string, string> = {},
): Promise<Result> {
  const config = readConfig({ ...platform.settings, ...settings, TILLWRIGHT_SEED: undefined })
  const operator = await openOperator(config, [], platform.clock)
  try {
    return await work(operator)
  } finally {
    await operator.close()
  }
}

/** Every sealed value of the database. */
async function boxes({ services: { db } }: TestPlatform): Promise<string[]> {
  const found: string[] = []
  for (const { table, column } of sealedColumns) {
    const rows = await db.read(`SELECT ${column} AS sealed FROM ${table} ORDER BY id`, [])
    found.push(...rows.flatMap((row) => (row['sealed'] === null ? [] : [String(row['sealed'])])))
  }
  return found
}

async function boxesUnder(platform: TestPlatform, version: number): Promise<number> {
  const pattern = new RegExp(`(^|"sealed":")${version}:`)
  return (await boxes(platform)).filter((box) => pattern.test(box)).length
}

/** Copies the one card many times over, sealed for each copy. */
async function manyCards({ services, local, keys }: TestPlatform, count: number): Promise<void> {
  const statements = Array.from({ length: count }, (_, index) => {
    const id = `card_many${String(index).padStart(6, '0')}`
    const sealed = keys.cards?.box.seal('card key', randomBytes(32), `${local.accountId}/${id}`) ?? ''
    return {
      sql: `INSERT INTO cards (account_id, id, fingerprint, sealed_key, sealed_card, brand, last4, bin, exp_month,
        exp_year, funding, segment, created_at) SELECT account_id, ?, fingerprint, ?, sealed_card, brand, last4, bin,
        exp_month, exp_year, funding, segment, created_at FROM cards WHERE account_id = ? LIMIT 1`,
      params: [id, sealed, local.accountId],
    }
  })
  for (let at = 0; at < count; at += 100) await services.db.write(statements.slice(at, at + 100))
}

async function newKeyFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keys-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'vault.key')
  await writeFile(path, randomBytes(32).toString('base64'), { mode: 0o600 })
  return path
}
