import type { BrowserContext, Frame, FrameLocator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { pressEnter } from '../../../.ci/press-enter.ts'
import type { TestPlatform } from './test-platform.ts'
import type { WaitingPayment } from './threeds-payment.ts'

/** A buyer in a shop's page, whose payment waits to be authenticated. */
export interface Visit {
  page: Page
  platform: TestPlatform
  waiting: WaitingPayment
  /** Violations that the browser has reported so far, and uncaught errors. */
  complaints: readonly string[]
  /** The vault's frame, and the bank's page in it. */
  frame: FrameLocator
  bank: FrameLocator
  /** Starts the authentication in a page as a shop does, and leaves it running. */
  authenticate(options?: { windowSize?: string; returnUrl?: string }, page?: Page): Promise<void>
  /** Result of the authentication in a page. */
  end(page?: Page): Promise<unknown>
  /** The steps that it has taken. */
  steps(): Promise<string[]>
  /** Lets the platform's time pass, a second at a time, until it has come to something. */
  timePasses(): Promise<void>
  /** Waits until the bank asks for something, a second later by the platform's clock. */
  bankAsks(page?: Page): Promise<void>
  /** Waits until the vault's frame says that the bank asks in its app. */
  bankAsksElsewhere(): Promise<void>
  /** Types a code into the bank's page as soon as it asks for one. */
  typeCode(code: string): Promise<void>
  /** The bank's page as a document. */
  bankFrame(): Frame
}

/** Opens a shop's page in a tab of its own, which is closed when the test ends. */
export async function visitShop(
  context: BrowserContext,
  url: string,
  { platform, waiting }: Pick<Visit, 'platform' | 'waiting'>,
): Promise<Visit> {
  const page = await context.newPage()
  onTestFinished(() => page.close())
  const complaints: string[] = []
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) complaints.push(message.text())
  })
  await page.goto(url)
  const framesOf = (shown: Page) => {
    const frame = shown.frameLocator('dialog iframe')
    return { frame, bank: frame.frameLocator('dialog iframe') }
  }
  const visit: Visit = {
    page,
    platform,
    waiting,
    complaints,
    ...framesOf(page),
    authenticate: (options = {}, shown = page) =>
      shown.evaluate(startAuthentication(platform.local.publishableKey, waiting.actionToken, options)),
    end: (shown = page) => shown.evaluate('window.authentication'),
    steps: () => page.evaluate('window.steps'),
    async timePasses() {
      await expect
        .poll(
          () => {
            platform.clock.advance(1_000)
            return page.evaluate('window.isOver')
          },
          { timeout: 60_000 },
        )
        .toBe(true)
    },
    async bankAsks(shown = page) {
      await framesOf(shown).bank.getByRole('button', { name: 'Cancel' }).waitFor()
      platform.clock.advance(1_000)
    },
    bankAsksElsewhere: () => visit.frame.getByText('Confirm in your bank’s app').waitFor(),
    async typeCode(code) {
      await visit.bankAsks()
      const field = visit.bank.getByRole('textbox')
      await field.fill(code)
      await pressEnter(field)
    },
    bankFrame() {
      const frame = page.frames().find((candidate) => candidate.url().startsWith(`${platform.apiUrl}/acs/challenge`))
      if (frame === undefined) throw new Error('The bank shows no page.')
      return frame
    },
  }
  return visit
}

function startAuthentication(key: string, token: string, options: object): string {
  return `(async () => {
    const checkout = await window.Tillwright.init({ publishableKey: '${key}' })
    window.steps = []
    window.isOver = false
    window.authentication = checkout
      .authenticate('${token}', { ...${JSON.stringify(options)}, onStep: (step) => void window.steps.push(step) })
      .catch(({ code, message }) => ({ code, message }))
    window.authentication.then(() => { window.isOver = true })
  })()`
}
