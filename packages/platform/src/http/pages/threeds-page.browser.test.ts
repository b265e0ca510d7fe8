import { contract } from '@tillwright/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { firstOf, inSoak, soaks } from '../../../../../.ci/soaks.ts'
import { expectStory } from '../../../test/authentication-story.ts'
import { allowOrigins } from '../../../test/browser-shop.ts'
import { SHOP_URL, testableEngines } from '../../../test/test-platform.ts'
import { threedsCases } from '../../../test/threeds-cases.ts'
import { DECOUPLED_CARD } from '../../../test/threeds-elsewhere-cases.ts'
import { threedsRaces } from '../../../test/threeds-page-cases.ts'
import { threedsStage } from '../../../test/threeds-stage.ts'
import { commit } from '../operations/commit.ts'

describe('on sqlite', () => {
  const { platform, shop, visit, tell, sessionOf } = threedsStage('sqlite')

  for (const [group, cases] of Object.entries(threedsCases)) {
    describe(`where ${group}`, () => {
      const seen = cases.filter(({ isSoaked = false }) => soaks || !isSoaked)
      for (const each of seen) test(`when ${each.when}, the session ends as ${each.outcome}`, () => tell(each))
    })
  }

  test('a buyer whose page cannot hold the frame is led to the vault and back, and the server knows the outcome', async () => {
    const { page, waiting, authenticate } = await visit({}, shop().framelessUrl)
    const returnUrl = `${shop().url}?paid=1&x=%20`
    await authenticate({ returnUrl })
    await page.waitForURL(`${platform().vaultUrl}/**`)
    await page.frameLocator('dialog iframe').getByRole('textbox').fill('1234')
    platform().clock.advance(1_000)
    await page.keyboard.press('Enter')
    await page.waitForURL(returnUrl)
    const ending = { outcome: 'authenticated', wasChallenged: true } as const
    await expectStory(ending, { platform: platform(), shop: shop(), waiting })
  })

  test('a result that never comes leaves the payment waiting, until the session’s time is over', async () => {
    const buyer = await visit({ arranged: { faults: { rreq: 'never' } } })
    const { id: paymentId, orderId, customerId } = buyer.waiting.payment
    await buyer.authenticate()
    await buyer.typeCode('1234')
    await buyer.timePasses()
    expect(await buyer.end()).toMatchObject({ outcome: 'pending', status: 'challenge_required' })
    const path = contract.payments.continue.path.replace('{paymentId}', paymentId)
    expect(await platform().request('POST', path)).toMatchObject({ status: 409, error: { code: 'state_conflict' } })

    platform().clock.advance(31 * 60_000)
    const payment = () => platform().call(contract.payments.get, { params: { paymentId } })
    await expect.poll(payment).toMatchObject({ status: 'declined', declineCode: 'authentication_timed_out' })
    await buyer.authenticate()
    expect(await buyer.end()).toEqual({ outcome: 'timed_out', status: 'expired', transStatus: null })
    expect(await platform().call(contract.orders.get, { params: { orderId } })).toMatchObject({ status: 'pending' })
    const events = (await shop().eventsOf(customerId)).slice(-3).map(({ eventType }) => eventType)
    expect(events[0]).toBe('s_threeds_session_challenge_required')
    expect(events.slice(1).toSorted()).toEqual(['s_payment_failed', 's_threeds_session_failed'])
  })

  test.each(inSoak)(
    'a page waits for a bank that asks elsewhere as long as the session has, and the payment is declined then',
    async () => {
      const arranged = { challenge: 'decoupled', faults: { rreq: 'never' } } as const
      const buyer = await visit({ card: DECOUPLED_CARD, arranged })
      const { id: paymentId, orderId } = buyer.waiting.payment
      await buyer.authenticate()
      await buyer.bankAsksElsewhere()
      platform().clock.advance(29 * 60_000)
      expect(await sessionOf(buyer)).toMatchObject({ status: 'authenticating', transStatus: 'D', outcome: 'pending' })
      await buyer.timePasses()
      expect(await buyer.end()).toEqual({ outcome: 'timed_out', status: 'expired', transStatus: null })
      const payment = () => {
        platform().clock.advance(10_000) // the worker that ends waiting payments runs at intervals
        return platform().call(contract.payments.get, { params: { paymentId } })
      }
      await expect.poll(payment).toMatchObject({ status: 'declined', declineCode: 'authentication_timed_out' })
      expect(await platform().call(contract.orders.get, { params: { orderId } })).toMatchObject({ status: 'pending' })
    },
  )

  test('no page but those of the key may hold the frame, and the payment goes on waiting', async () => {
    const buyer = await visit({})
    const allow = async (origins: readonly string[]) => {
      await commit([allowOrigins(origins, platform().local)], platform().services)
    }
    await allow(['https://other.example'])
    onTestFinished(() => allow([SHOP_URL, new URL(shop().url).origin]))
    await buyer.authenticate()
    expect(await buyer.end()).toMatchObject({ code: 'frame_unavailable' })
    expect(await buyer.page.locator('dialog').count()).toBe(0)
    expect(await sessionOf(buyer)).toMatchObject({ status: 'created', outcome: 'pending', transcript: [] })
  })
})

// A browser's behaviour does not depend on the engine, but for requests that meet in the database.
describe.each(testableEngines().filter((engine) => engine !== 'sqlite'))('on %s', (engine) => {
  const { tell } = threedsStage(engine)

  for (const each of firstOf(threedsRaces))
    test(`when ${each.when}, the session ends as ${each.outcome}`, () => tell(each))
})
