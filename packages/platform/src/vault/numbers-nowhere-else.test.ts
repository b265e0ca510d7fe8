import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { testCard } from '../../test/vault/encrypt-card.ts'
import { openVault, type TestVault } from '../../test/vault/open-vault.ts'
import { takeCard } from '../../test/vault/take-card.ts'
import { redeemToken } from './redeem-token.ts'

const number = '378282246310005'
const spellings = [
  number,
  '3782 822463 10005',
  '3782-822463-10005',
  ...shifts(number).map((shifted) => Buffer.from(shifted).toString('base64').slice(2, 18)),
  Buffer.from(number).toString('hex'),
]

test('the card number is in no column, no byte of the files, no log line, no token and no error', async () => {
  const vault = await openVault()
  const { token, codes } = await takeCard(vault, { number, cvc: '8371', name: 'Ada' })
  const { card, writes } = await redeemToken(token.serviceToken, { storeId: 'store_1' }, vault.call())
  await vault.commit(writes)
  const refused = await Promise.allSettled([
    takeCard(vault, { number, cvc: '8371' }),
    takeCard(vault, { number, cvc: '83710', jti: 'B'.repeat(22) }),
    takeCard(vault, { number: `${number}0`, cvc: '8371', jti: 'C'.repeat(22) }),
    takeCard(vault, { number, cvc: '8371', expYear: 2020, jti: 'D'.repeat(22) }),
    takeCard(vault, { number, cvc: '8371', origin: 'https://evil.example', jti: 'E'.repeat(22) }),
    takeCard(vault, { number, cvc: '8371', iat: 0, jti: 'F'.repeat(22) }),
  ])
  const errors = refused.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome))
  expect(errors.map((error: { code: unknown }) => error.code)).toEqual([
    'token_used',
    'parameter_invalid',
    'parameter_invalid',
    'expired_card',
    'token_invalid',
    'token_expired',
  ])
  vault.services.log.error({ errors, card, token, codes }, 'all that there is to log')
  const texts = [
    ...vault.logged,
    inspect(errors, { depth: null, showHidden: true }),
    JSON.stringify([token, card]),
    Buffer.from(token.serviceToken, 'base64url').toString(),
    JSON.stringify(await dump(vault)),
    ...(await fileBytes(vault)),
  ]
  for (const text of texts) {
    for (const spelling of spellings) expect(text).not.toContain(spelling)
    expect(text).not.toMatch(/"?cvc"?:\s*"?8371|"83710?"/)
  }
})

test('the search would find a number in the clear', async () => {
  const vault = await openVault()
  await vault.commit([
    { sql: 'INSERT INTO rate_buckets (subject, full_at_us) VALUES (?, ?)', params: [`x${number}`, 0] },
  ])
  expect(JSON.stringify(await dump(vault))).toContain(number)
  expect((await fileBytes(vault)).some((bytes) => bytes.includes(number))).toBe(true)
})

test('nothing that is kept or logged depends on the security code: it waits for its payment under a key in memory alone', async () => {
  const [one, two] = [await takenAndLogged('123'), await takenAndLogged('987')]
  const rows = await dump(one)
  expect(rows.flatMap((table) => table).length).toBeGreaterThan(3)
  expect(await dump(two)).toEqual(rows)
  expect(two.logged.map(withoutTime)).toEqual(one.logged.map(withoutTime))
  expect(one.logged).toHaveLength(1)
})

/** A card is taken and redeemed, and all that a request holds by then is logged. */
async function takenAndLogged(cvc: string): Promise<TestVault> {
  const vault = await openVault()
  const { token, codes } = await takeCard(vault, { ...testCard, cvc })
  const { card, writes } = await redeemToken(token.serviceToken, { storeId: 'store_1' }, vault.call())
  await vault.commit(writes)
  vault.services.log.info({ token, card, codes }, 'all that there is to log')
  return vault
}

function withoutTime(line: string): object {
  return { ...JSON.parse(line), time: 0 }
}

async function dump({ services: { db } }: TestVault): Promise<(readonly object[])[]> {
  const tables = await db.read(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('security_codes', 'processes', 'shared_time', 'schema_state') ORDER BY name",
    [],
  )
  return Promise.all(tables.map(({ name }) => db.read(`SELECT * FROM ${name}`, [])))
}

/** Each file of the database, log included, a character for each byte. */
async function fileBytes({ folder }: TestVault): Promise<string[]> {
  const names = await readdir(folder)
  return Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))
}

/** The base64 of a text depends on its offset within a group of three bytes. */
function shifts(text: string): string[] {
  return ['', ' ', '  '].map((before) => before + text)
}
