import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { mountCard, tokenize, typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

declare global {
  interface Window {
    /** The calls of the shop's `onChallenge`, as `code requestId`. */
    challenges: string[]
    /** Ends the challenge that the shop shows: what `onChallenge` answers. */
    solve: (response: string | undefined) => void
  }
}

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
beforeEach(() => {
  stage.vault.challenge = 'solved'
  stage.vault.cards.length = 0
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

/** Types a card into the form of a shop that shows challenges, and begins to pay. */
async function payWithChallenge(): Promise<{ page: Page; token: Promise<unknown> }> {
  const page = await stage.openShop()
  await page.evaluate(() => {
    window.challenges = []
    const { init } = window.Tillwright
    window.Tillwright.init = (options) =>
      init({
        ...options,
        onChallenge: ({ code, requestId }) => {
          window.challenges.push(`${code} ${requestId}`)
          return new Promise((resolve) => (window.solve = resolve))
        },
      })
  })
  await typeCard(await mountCard(page))
  const token = tokenize(page)
  await expect.poll(() => page.evaluate(() => window.challenges.length)).toBe(1)
  return { page, token }
}

function solve(page: Page, response?: string): Promise<void> {
  return page.evaluate((text) => window.solve(text), response)
}

/** The browser's own word on an answer of 403. */
const refused = 'Failed to load resource: the server responded with a status of 403 (Forbidden)'

test('a challenge that the buyer solves is sent along with the card, in the same call', async () => {
  const { page, token } = await payWithChallenge()
  const again = tokenize(page)
  await solve(page, 'solved')
  expect(await token).toMatchObject({ serviceToken: 'service-token' })
  expect(await again).toEqual(await token)
  expect(stage.vault.cards).toHaveLength(2)
  expect(await page.evaluate(() => window.challenges)).toEqual(['challenge_required req_challenge'])
  expect(stage.takeComplaints()).toEqual([refused])
})

test('a wrong solution ends the call after one more try', async () => {
  const { page, token } = await payWithChallenge()
  await solve(page, 'guessed')
  expect(await token).toMatchObject({ code: 'challenge_required', message: 'Solve the challenge.' })
  expect(stage.vault.cards).toHaveLength(2)
  expect(await page.evaluate(() => window.challenges)).toHaveLength(1)
  expect(stage.takeComplaints()).toEqual([refused, refused])
})

test('a challenge that was not solved, or is too long to be one, is not sent', async () => {
  for (const response of [undefined, 'x'.repeat(10_000)]) {
    const { page, token } = await payWithChallenge()
    await solve(page, response)
    expect(await token).toMatchObject({ code: 'challenge_required', requestId: 'req_challenge' })
  }
  expect(stage.vault.cards).toHaveLength(2)
  expect(stage.takeComplaints()).toEqual([refused, refused])
})

test('a form that goes away while the challenge is shown ends the call, and the solution is not sent', async () => {
  const { page, token } = await payWithChallenge()
  await page.evaluate(() => window.card.unmount())
  expect(await token).toMatchObject({ code: 'not_mounted' })
  await solve(page, 'solved')
  expect(stage.vault.cards).toHaveLength(1)
  expect(stage.takeComplaints()).toEqual([refused])
})

test('without onChallenge the call is rejected, and so it is when onChallenge fails, which is the cause', async () => {
  const page = await stage.openShop()
  await typeCard(await mountCard(page))
  expect(await tokenize(page)).toMatchObject({ code: 'challenge_required' })
  const outcome = await page.evaluate(async () => {
    window.card.destroy()
    const checkout = await window.Tillwright.init({
      publishableKey: 'test_pk_shop',
      onChallenge: () => {
        throw new Error('The challenge did not load.')
      },
    })
    window.card = checkout.card().mount('#card')
    await new Promise<void>((resolve) => void window.card.on('ready', resolve))
    return window.card.tokenize().catch(({ code }) => code)
  })
  expect(outcome).toBe('card_incomplete')
  await typeCard(page.frameLocator('iframe'))
  const failure = await page.evaluate(() => window.card.tokenize().catch(({ code, cause }) => [code, String(cause)]))
  expect(failure).toEqual(['challenge_required', 'Error: The challenge did not load.'])
  expect(stage.takeComplaints()).toEqual([refused, refused])
})
