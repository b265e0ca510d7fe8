import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ThreedsCase } from './threeds-case.ts'
import type { Visit } from './threeds-visit.ts'

/** Cards of the built-in bank, besides those that ask for a code. */
const FRICTIONLESS = '4242424242424242'
const DISCOVER_CODE = '6011000000002265'
const APP = '4000000000002818'

const types = (code: string) => (visit: Visit) => visit.typeCode(code)

/** A bank that decides by the data it gets. */
export const bankDecidesAlone: readonly ThreedsCase[] = [
  { when: 'the bank knows the buyer', card: FRICTIONLESS, outcome: 'authenticated', isUnasked: true },
  {
    when: 'the bank attests the attempt',
    card: '4000000000002719',
    outcome: 'attempted',
    isSoaked: true,
    isUnasked: true,
  },
  {
    when: 'the bank does not know the buyer',
    card: '4000000000002925',
    outcome: 'failed',
    isSoaked: true,
    isUnasked: true,
  },
  { when: 'the bank cannot tell', card: '4000000000002313', outcome: 'unavailable', isSoaked: true, isUnasked: true },
  {
    when: 'the bank rejects the payment',
    card: '4000000000002537',
    outcome: 'rejected',
    isSoaked: true,
    isUnasked: true,
  },
  {
    when: 'the bank only takes note',
    card: '4000000000002800',
    outcome: 'informational',
    isSoaked: true,
    isUnasked: true,
  },
]

/** The buyer sees the bank. */
export const buyerIsAsked: readonly ThreedsCase[] = [
  { when: 'the buyer types 7777', andThen: types('7777'), isSoaked: true, outcome: 'attempted' },
  { when: 'the buyer types 1111', andThen: types('1111'), isSoaked: true, outcome: 'failed' },
  { when: 'the buyer types 2222', andThen: types('2222'), isSoaked: true, outcome: 'rejected' },
  { when: 'the buyer types 3333', andThen: types('3333'), isSoaked: true, outcome: 'unavailable' },
  {
    when: 'the buyer types a third wrong code',
    isSoaked: true,
    andThen: async (visit) => {
      await visit.typeCode('0000')
      await visit.bank.getByText('2 tries left').waitFor()
      await visit.typeCode('0000')
      await visit.bank.getByText('One try left').waitFor()
      await visit.typeCode('0000')
    },
    outcome: 'failed',
  },
  {
    when: 'the buyer confirms in the bank’s app',
    card: APP,
    andThen: async ({ bankAsks, timePasses }) => {
      await bankAsks()
      await timePasses()
    },
    outcome: 'authenticated',
  },
  {
    when: 'the buyer presses Esc',
    isSoaked: true, // as in one of two tabs
    andThen: async ({ bankAsks, page }) => {
      await bankAsks()
      await page.keyboard.press('Escape')
    },
    outcome: 'cancelled',
  },
  {
    when: 'the buyer presses the vault’s button',
    isSoaked: true,
    andThen: async ({ bankAsks, frame }) => {
      await bankAsks()
      await frame.getByRole('button', { name: 'Cancel' }).click()
    },
    outcome: 'cancelled',
  },
  {
    when: 'the buyer presses the bank’s button',
    isSoaked: true,
    andThen: async ({ bankAsks, bank }) => {
      await bankAsks()
      await bank.getByRole('button', { name: 'Cancel' }).click()
    },
    outcome: 'cancelled',
  },
  {
    when: 'the buyer does nothing for ten minutes',
    isSoaked: true,
    andThen: async ({ bankAsks, platform, timePasses }) => {
      await bankAsks()
      platform.clock.advance(10 * 60_000)
      await timePasses()
    },
    outcome: 'timed_out',
  },
]

/** The bank's method page runs, or does not. */
export const bankLooksAtTheBrowser: readonly ThreedsCase[] = [
  {
    when: 'the bank’s method page has run and the buyer types 1234',
    andThen: types('1234'),
    outcome: 'authenticated',
    method: 'Y',
  },
  {
    when: 'the bank has no method page',
    isSoaked: true,
    card: DISCOVER_CODE,
    andThen: types('1234'),
    outcome: 'authenticated',
    method: 'U',
  },
  {
    when: 'the bank’s method page hangs for ten seconds',
    isSoaked: true,
    arranged: { faults: { method: 'hang' } },
    hasOwnTime: true,
    andThen: async ({ page, typeCode }) => {
      await methodIsShown(page)
      await page.clock.runFor(10_000)
      await typeCode('1234')
    },
    outcome: 'authenticated',
    method: 'N',
  },
  {
    when: 'the bank’s method page ends after twelve seconds, in the middle of the challenge',
    arranged: { faults: { method: 'late' } },
    hasOwnTime: true,
    andThen: async ({ page, bankAsks, typeCode }) => {
      await methodIsShown(page)
      const late = page.waitForResponse('**/v1/threeds/method/*') // time passes by itself too
      await page.clock.runFor(10_000)
      await bankAsks()
      await page.clock.runFor(2_000)
      await late
      await typeCode('1234')
    },
    outcome: 'authenticated',
    method: 'N',
  },
  {
    when: 'the bank’s method page tells of another transaction',
    arranged: { faults: { method: 'wrong_transaction' } },
    andThen: types('1234'),
    outcome: 'authenticated',
    method: 'N',
  },
]

/** The browser and the directory server tell of the end, in any order, the same or not. */
export const resultComesItsOwnWay: readonly ThreedsCase[] = [
  {
    when: 'the browser brings a yes where the bank has said no',
    arranged: { faults: { cres: 'contradicts' } },
    andThen: types('1111'),
    isSoaked: true,
    outcome: 'failed',
  },
  {
    when: 'the browser brings a no where the bank has said yes',
    arranged: { faults: { cres: 'contradicts' } },
    andThen: types('1234'),
    outcome: 'authenticated',
  },
  {
    when: 'the browser brings nothing that can be read',
    isSoaked: true,
    arranged: { faults: { cres: 'malformed' } },
    andThen: types('1234'),
    outcome: 'authenticated',
  },
  {
    when: 'the browser brings the end of another transaction',
    arranged: { faults: { cres: 'wrong_transaction' } },
    andThen: types('1234'),
    isSoaked: true,
    outcome: 'authenticated',
  },
  {
    when: 'the bank never sends the browser back',
    isSoaked: true,
    arranged: { faults: { cres: 'never' } },
    andThen: types('1234'),
    outcome: 'authenticated',
  },
  {
    when: 'the result comes a second after the browser',
    arranged: { faults: { rreq: 'after' } },
    andThen: async ({ typeCode, timePasses }) => {
      await typeCode('1234')
      await timePasses()
    },
    outcome: 'authenticated',
  },
  {
    when: 'the result comes fifteen seconds after the browser',
    arranged: { faults: { rreq: 'late' } },
    andThen: async ({ typeCode, timePasses }) => {
      await typeCode('2222')
      await timePasses()
    },
    isSoaked: true,
    outcome: 'rejected',
  },
  {
    when: 'the result comes twice',
    isSoaked: true,
    arranged: { faults: { rreq: 'twice' } },
    andThen: types('1234'),
    outcome: 'authenticated',
  },
]

/** Resolves when the bank's method page has run its script. */
async function methodIsShown(page: Page): Promise<void> {
  const shown = () => page.frames().find((frame) => frame.url().endsWith('/acs/method'))
  await expect.poll(shown).toBeDefined()
  await shown()?.waitForLoadState()
}
