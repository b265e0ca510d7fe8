import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { closeContexts, sharedChromium } from '../../../../../.ci/chromium.ts'
import { openBrowserShop } from '../../../test/browser-shop.ts'
import {
  type Received,
  type Receiver,
  type ReceiverAnswer,
  startReceiver,
} from '../../../test/events/start-receiver.ts'
import { startTestPlatform } from '../../../test/test-platform.ts'

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closeContexts(browser))

test('a buyer who solves the challenge before the sixth card gets a token in the same call', async () => {
  const { page, verifier } = await openCrowdedForm('solved')
  expect(verifier.received).toEqual([])
  expect(await tokenize(page)).toMatch(/^token /)
  expect(await page.evaluate('window.challenges')).toEqual(['challenge_required'])
  expect(verifier.received.map(responseOf)).toEqual(['solved'])
  // The form is spared now.
  expect(await tokenize(page)).toMatch(/^token /)
  expect(verifier.received).toHaveLength(1)
})

test('a solution that the verifier refuses ends the call without a token', async () => {
  const { page, verifier } = await openCrowdedForm('guessed')
  expect(await tokenize(page)).toMatch(/^challenge_required .*not solved/)
  expect(await page.evaluate('window.challenges')).toEqual(['challenge_required'])
  expect(verifier.received.map(responseOf)).toEqual(['guessed'])
})

/** A verifier that takes one answer. */
function judge(request: Received): ReceiverAnswer {
  return { status: 200, body: JSON.stringify({ success: responseOf(request) === 'solved' }) }
}

function responseOf({ body }: Received): string | null {
  return new URLSearchParams(body).get('response')
}

/**
 * A form with a card typed into it, which has sent as many as it may without a challenge.
 *
 * @param solution The result of the shop's `onChallenge`.
 */
async function openCrowdedForm(solution: string): Promise<{ page: Page; verifier: Receiver }> {
  const verifier = await startReceiver(judge)
  const platform = await startTestPlatform({ rateLimits: true, challengeUrl: `${verifier.url}/siteverify` })
  onTestFinished(() => platform.remove())
  const shop = await openBrowserShop(platform)
  const context = await browser.newContext()
  onTestFinished(async () => {
    await context.close()
    shop.close()
  })
  const page = await context.newPage()
  await page.goto(shop.url)
  await page.evaluate(`(async () => {
    window.challenges = []
    const checkout = await window.Tillwright.init({
      publishableKey: '${platform.local.publishableKey}',
      onChallenge: async ({ code }) => {
        window.challenges.push(code)
        return '${solution}'
      },
    })
    window.card = checkout.card().mount('#card')
  })()`)
  const form = page.frameLocator('iframe')
  await form.locator('#number').fill('4242424242424242')
  await form.locator('#expiry').fill('1240')
  await form.locator('#cvc').fill('123')
  for (let n = 0; n < 5; n++) expect(await tokenize(page)).toMatch(/^token /)
  return { page, verifier }
}

/** `token` and the token, or the code and the message of the error. */
function tokenize(page: Page): Promise<unknown> {
  return page.evaluate(`window.card.tokenize().then(
    ({ serviceToken }) => 'token ' + serviceToken,
    ({ code, message }) => code + ' ' + message,
  )`)
}
