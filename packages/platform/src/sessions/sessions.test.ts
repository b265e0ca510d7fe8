import { contract, type BuyerSession } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { beginSession, buyersPage, filledPage, payPage } from '../testing/buyer-session.ts'
import { newPreviewSession } from '../testing/new-funnel.ts'
import { sharedPlatform, SHOP_URL, testableEngines } from '../testing/test-platform.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('probe', async () => {
    const page = await filledPage(platform())
    const answer = await payPage(platform(), page)
    console.log(answer.text)
    console.log(JSON.stringify(await page.call(contract.session.get, {}), null, 1))
  })
})
