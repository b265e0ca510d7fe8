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
})
