import { contract, type ThreedsSessionDetails } from '@tillwright/contract'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { expectStory } from './authentication-story.ts'
import { type BrowserShop, openBrowserShop } from './browser-shop.ts'
import { sharedPlatform, type TestPlatform } from './test-platform.ts'
import type { ThreedsCase } from './threeds-case.ts'
import { CHALLENGE_CARD, newWaitingPayment } from './threeds-payment.ts'
import { type Visit, visitShop } from './threeds-visit.ts'

/** A Chromium, a platform with its built-in bank, and a shop, for all tests of a `describe`. */
export interface ThreedsStage {
  platform(): TestPlatform
  shop(): BrowserShop
  /** Opens the shop for a buyer who has to be authenticated; the bank has received no request yet. */
  visit(wanted: Partial<Pick<ThreedsCase, 'card' | 'arranged' | 'hasOwnTime'>>, url?: string): Promise<Visit>
  /** Runs a case, and looks at the page's outcome, the session, the payment, the order and the events. */
  tell(each: ThreedsCase): Promise<void>
  /** The session of a visit, as the shop's server reads it. */
  sessionOf(visit: Visit): Promise<ThreedsSessionDetails>
}

/** Sets the stage on an engine. */
export function threedsStage(engine: TestPlatform['services']['db']['engine']): ThreedsStage {
  const platform = sharedPlatform({ engine })
  let opened: { browser: Browser; context: BrowserContext; shop: BrowserShop } | undefined
  beforeAll(async () => {
    const browser = await sharedChromium()
    opened = { browser, context: await browser.newContext(), shop: await openBrowserShop(platform()) }
  })
  afterAll(async () => {
    await opened?.context.close()
    opened?.shop.close()
  })
  const there = () => {
    if (opened === undefined) throw new Error('The stage is set as soon as the first test begins.')
    return opened
  }
  const stage: ThreedsStage = {
    platform,
    shop: () => there().shop,
    async visit({ card = CHALLENGE_CARD, arranged, hasOwnTime }, url = there().shop.url) {
      const next = { faults: {}, ...arranged }
      if (arranged !== undefined) await platform().request('POST', '/acs/control', { body: { next } })
      const waiting = await newWaitingPayment(platform(), { number: card })
      platform().clock.advance(1_000)
      const context = hasOwnTime === true ? await ownTime(there().browser) : there().context
      return visitShop(context, url, { platform: platform(), waiting })
    },
    sessionOf: ({ waiting: { sessionId } }) => platform().call(contract.threeds.get, { params: { sessionId } }),
    async tell(each) {
      const buyer = await stage.visit(each)
      await buyer.authenticate()
      await each.andThen?.(buyer)
      await expectEnd(each, buyer, () => stage.sessionOf(buyer))
      const ending = { outcome: each.outcome, wasChallenged: each.isUnasked !== true && each.isElsewhere !== true }
      await expectStory(ending, { platform: platform(), shop: there().shop, waiting: buyer.waiting })
    },
  }
  return stage
}

/** A context whose pages have a time of their own, which all tabs of one share. */
async function ownTime(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await context.clock.install()
  return context
}

/** Expects that the page was told what the server says, took its steps in order, and is as it was before. */
async function expectEnd(
  { outcome, isUnasked = false, isElsewhere = false, method }: ThreedsCase,
  { page, end, steps, complaints }: Visit,
  readSession: () => Promise<ThreedsSessionDetails>,
): Promise<void> {
  const reported = await end()
  const { status, transStatus, transcript } = await readSession()
  expect(reported).toEqual({ outcome, status, transStatus })
  expect(complaints).toEqual([])
  expect(await page.locator('dialog').count()).toBe(0)
  const taken = await steps()
  expect(taken.filter((step) => step !== 'method')).toEqual([
    'authenticate',
    ...(isUnasked ? [] : [isElsewhere ? 'decoupled' : 'challenge']),
    'result',
  ])
  if (method === undefined) return
  expect(taken.includes('method')).toBe(method !== 'U')
  expect(transcript.find(({ type }) => type === 'AReq')?.message).toMatchObject({ threeDSCompInd: method })
}
