import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { beginSession, buyersPage, filledPage, inNewStore, payPage } from '../test/buyer-session.ts'
import { sharedPlatform, ruleEngines } from '../test/test-platform.ts'

// The attacker has a script in a page of a shop, and with it the token of a buyer's session. They want the buyer to land on
// a page of theirs after paying, or the merchant's page to learn what opens the session.

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const evil = 'https://evil.example/thanks'

  test.for([null, 'https://shop.example/thanks'])(
    'no request of a page changes where a store sends its buyers: %s',
    async (customThankYouUrl) => {
      const shop = await inNewStore(platform(), { customThankYouUrl })
      const { storeId } = shop.local
      const forged = { thankYouUrl: evil, customThankYouUrl: evil, url: evil }
      const { token } = await beginSession(shop, { storeId, ...forged })
      const page = await buyersPage(shop, token)
      const bodies: [string, string, object][] = [
        ['PUT', '/contact', { email: 'ada@example.com' }],
        ['PUT', '/address', { shippingAddress: { line1: '12 Weaver Street', country: 'IE' } }],
        ['PUT', '/order/lines', { lines: [] }],
        ['POST', '/events', { name: 'paid', properties: forged }],
      ]
      for (const [method, path, body] of bodies) {
        expect((await page.send(method, path, { body: { ...body, ...forged } })).status).toBeLessThan(300)
      }
      const paid = await filledPage(shop, { token })
      const { orderId } = contract.session.pay.response.parse((await payPage(shop, paid)).body)
      const after = await page.send('GET', '')
      const { thankYouUrl } = contract.session.get.response.parse(after.body)
      expect(thankYouUrl).toBe(customThankYouUrl && `${customThankYouUrl}?orderId=${orderId}`)
      expect(after.text).not.toContain('evil')
      const key = { key: token, body: { name: 'Mine', ...forged } }
      expect((await shop.request('POST', contract.stores.create.path, key)).status).toBe(401)
    },
  )
})
