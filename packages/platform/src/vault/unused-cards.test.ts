import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { codeToken, newInstrument, pay, serviceToken } from '../../test/pay-with-card.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'

const MINUTE_MS = 60_000

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const countCards = async () =>
    Number((await platform().services.db.read('SELECT count(*) AS cards FROM cards', []))[0]?.['cards'])

  it('a card that nobody has redeemed is gone an hour after it was typed, and every other stays', async () => {
    const typed = await newInstrument(platform())
    const { storeId } = platform().local
    const { paymentInstrument: tested } = await platform().call(contract.paymentInstruments.createFromToken, {
      body: { serviceToken: 'tok_visa', storeId },
    })
    const before = await countCards()
    for (const { id } of [typed, tested]) await codeToken(platform(), id)
    await serviceToken(platform(), '5555555555554444')
    expect(await countCards()).toBe(before + 1)
    platform().clock.advance(58 * MINUTE_MS)
    expect(await countCards()).toBe(before + 1)
    await expect
      .poll(async () => (platform().clock.advance(MINUTE_MS + 1), await countCards()), { timeout: 60_000 })
      .toBe(before)
    for (const { id } of [typed, tested]) expect(await pay(platform(), id)).toMatchObject({ status: 'succeeded' })
  })

  it('however many have piled up, all are gone with their tokens', async () => {
    const { db } = platform().services
    const before = await countCards()
    await serviceToken(platform(), '5555555555554444')
    const unredeemed = 'FROM card_tokens WHERE used_at IS NULL'
    const [token = {}] = await db.read(`SELECT * ${unredeemed} ORDER BY expires_at DESC LIMIT 1`, [])
    const [card = {}] = await db.read('SELECT * FROM cards WHERE id = ?', [String(token['card_id'])])
    const copy = (table: string, row: object) => ({
      sql: `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
        .map(() => '?')
        .join(', ')})`,
      params: Object.values(row),
    })
    const copies = Array.from({ length: 1_500 }, (_, n) => [
      copy('cards', { ...card, id: `${String(card['id'])}${n}` }),
      copy('card_tokens', { ...token, id: `t${n}`, jwe_id: `j${n}`, card_id: `${String(card['id'])}${n}` }),
    ])
    await db.write(copies.flat())
    expect(await countCards()).toBe(before + 1_501)
    platform().clock.advance(60 * MINUTE_MS)
    const tokens = `SELECT count(*) AS tokens ${unredeemed}`
    const left = async () => [await countCards(), Number((await db.read(tokens, []))[0]?.['tokens'])]
    await expect
      .poll(async () => (platform().clock.advance(MINUTE_MS + 1), await left()), { timeout: 60_000 })
      .toEqual([before, 0])
  })
})
