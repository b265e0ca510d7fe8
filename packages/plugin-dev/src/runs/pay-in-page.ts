import type { CDPSession, Frame, Locator, Page } from 'playwright-core'
import { cardNumber, type Scenario } from '../scenarios/index.ts'

/** How long a payment may take, with what the bank asks for. */
const OUTCOME_WITHIN_MS = 30_000
/** How long a button may take until it can be pressed. */
const PRESS_WITHIN_MS = 15_000
/** Between two looks at a page. */
const LOOK_EVERY_MS = 50
/** The code that the bank of the simulator accepts. */
const BANK_CODE = '1234'

/** A scenario that pays, with the card that it pays with. */
export type PayingScenario = Scenario & { until: NonNullable<Scenario['until']>; card: string }

/**
 * Pays in a page as a buyer does: fills in its form, types the scenario's card into the card form, presses the button that pays,
 * and waits for the outcome that the scenario is about.
 *
 * @param paying Called when everything is filled in.
 * @returns The problems that kept it from the outcome; empty if it got there.
 */
export async function payInPage(
  page: Page,
  scenario: PayingScenario,
  paying: () => Promise<void>,
): Promise<PaymentProblem[]> {
  const { until } = scenario
  const watched = await watchOutcome(page)
  try {
    await fillForm(page, scenario)
    await typeCard(page, cardNumber(scenario.card))
    await paying()
    await (await payButton(page, scenario)).click({ timeout: PRESS_WITHIN_MS })
    const reached = await outcomeOf(page, { until, outcome: watched.outcome })
    if (reached === until) return []
    const what = reached === null ? `nothing came of it within ${OUTCOME_WITHIN_MS / 1_000} s` : `it is ${reached}`
    return [unfinished(`The payment should be ${words[until]}, but ${what}.`)]
  } catch (error) {
    return [unfinished(String(Object(error).message ?? error).split('\n')[0] ?? '')]
  } finally {
    await watched.stop()
  }
}

type Outcome = PayingScenario['until']

const words: Readonly<Record<Outcome, string>> = {
  paid: 'paid',
  declined: 'declined',
  challenge: 'with the bank, which asks for a code',
}

/** Something that kept a payment from its outcome. */
export interface PaymentProblem {
  kind: 'payment'
  message: string
}

function unfinished(message: string): PaymentProblem {
  return { kind: 'payment', message }
}

/**
 * Learns from the platform's answers to the page how its payment has ended. Each answer is read before the page has it: a page
 * that leaves with it would take its text along.
 */
async function watchOutcome(page: Page): Promise<{ outcome: () => Outcome | null; stop: () => Promise<void> }> {
  let outcome: Outcome | null = null
  const devtools = await page.context().newCDPSession(page)
  devtools.on('Fetch.requestPaused', async ({ requestId, request, responseStatusCode: status }) => {
    const isRefused = status === 402 && new URL(request.url).pathname.endsWith('/pay')
    outcome = isRefused ? 'declined' : (outcomeIn(await heldAnswer(devtools, requestId)) ?? outcome)
    await devtools.send('Fetch.continueRequest', { requestId }).catch(() => {}) // its page is gone
  })
  const patterns = [{ urlPattern: '*/api/session/v1/session*', requestStage: 'Response' as const }]
  await devtools.send('Fetch.enable', { patterns })
  return { outcome: () => outcome, stop: () => devtools.detach() }
}

/** An answer that the browser holds back, as JSON; `null` where it has none, such as that of a redirect. */
async function heldAnswer(devtools: CDPSession, requestId: string): Promise<unknown> {
  try {
    const { body, base64Encoded } = await devtools.send('Fetch.getResponseBody', { requestId })
    return JSON.parse(base64Encoded ? Buffer.from(body, 'base64').toString() : body)
  } catch {
    return null
  }
}

/** How a payment has ended by an answer of the session's operations; `null` if it does not say. */
function outcomeIn(answer: unknown): Outcome | null {
  const session = Object(Object(answer)['session'] ?? answer)
  if (Object(session['order'])['status'] === 'paid') return 'paid'
  return ['declined', 'failed'].includes(Object(session['payment'])['status']) ? 'declined' : null
}

/** Answers the bank where it asks, unless that is what the scenario is about. */
async function outcomeOf(
  page: Page,
  { until, outcome }: { until: Outcome; outcome: () => Outcome | null },
): Promise<Outcome | null> {
  const untilMs = performance.now() + OUTCOME_WITHIN_MS
  let isAnswered = false
  while (performance.now() < untilMs) {
    const known = outcome()
    if (known !== null) return known
    const asked = isAnswered ? null : await bankField(page)
    if (asked !== null && until === 'challenge') return 'challenge'
    if (asked !== null) {
      await asked.fill(BANK_CODE)
      // A frame that goes with the answer may never report that the key was released.
      await Promise.race([asked.press('Enter'), asked.waitFor({ state: 'detached' })])
      isAnswered = true
    }
    await page.waitForTimeout(LOOK_EVERY_MS)
  }
  return null
}

/** The field for the bank's code, once it can be typed into. */
async function bankField(page: Page): Promise<Locator | null> {
  for (const frame of page.frames()) {
    if (frame === page.mainFrame() || isCardFrame(frame)) continue
    const field = frame.getByRole('textbox').first()
    if (await field.isVisible().catch(() => false)) return field
  }
  return null
}

function isCardFrame(frame: Frame): boolean {
  return URL.parse(frame.url())?.pathname === '/v1/card'
}

/** The buyer's details, by the field names of HTML's autofill. */
const buyer: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  tel: '+1 510 555 0100',
  name: 'Ada Byrne',
  'given-name': 'Ada',
  'family-name': 'Byrne',
  'street-address': '12 Weaver Street',
  'address-line1': '12 Weaver Street',
  'address-level2': 'Oakland',
  'address-level1': 'CA',
  'postal-code': '94607',
  country: 'US',
}

/** Fields without a name of autofill, by their own names. */
const namedLike: readonly [RegExp, string][] = [
  [/mail/i, 'email'],
  [/phone|tel/i, 'tel'],
  [/first|given/i, 'given-name'],
  [/last|family|surname/i, 'family-name'],
  [/line1|street|address$/i, 'address-line1'],
  [/city|town/i, 'address-level2'],
  [/state|province|region/i, 'address-level1'],
  [/zip|postal/i, 'postal-code'],
  [/country/i, 'country'],
  [/name/i, 'name'],
]

/** Fills in the empty fields of the page. Twice, because an answer may bring further questions, such as a state. */
async function fillForm(page: Page, { fields = {}, country = 'US' }: Scenario): Promise<void> {
  for (const _ of [1, 2]) {
    for (const field of await page.locator('input:visible, select:visible, textarea:visible').all()) {
      const asked = await field.evaluate(describeField)
      if (asked === null) continue
      const own = fields[asked.name] ?? fields[asked.id] ?? fields[asked.autofill]
      const kind = asked.autofill in buyer ? asked.autofill : namedLike.find(([like]) => like.test(asked.name))?.[1]
      const text = own ?? (kind === 'country' ? country : buyer[kind ?? '']) ?? (asked.isRequired ? 'Test' : '')
      if (asked.options === null) await field.fill(text)
      else await field.selectOption(asked.options.includes(text) ? text : (asked.options[0] ?? ''))
    }
  }
}

/** Runs in the page: what a field asks for; `null` for one that is answered or cannot be. */
function describeField(field: Element) {
  const { name, id, autocomplete, type, value, disabled, readOnly, required } = field as HTMLInputElement
  if (disabled || readOnly || value !== '' || /^(?:radio|checkbox|hidden|submit|button|file|image)$/.test(type))
    return null
  const options = field instanceof HTMLSelectElement ? [...field.options] : null
  return {
    name,
    id,
    autofill: autocomplete.split(' ').at(-1) || type,
    isRequired: required || field.getAttribute('aria-required') === 'true',
    options: options?.map((option) => option.value).filter((option) => option !== '') ?? null,
  }
}

/** Types a card into the card form of the page. @throws {Error} Without one. */
async function typeCard(page: Page, number: string): Promise<void> {
  const frame = page.frames().find(isCardFrame)
  if (frame === undefined) throw new Error('The page has no card form to pay with.')
  const code = /^3[47]/.test(number) ? '1234' : '123'
  for (const [name, keys] of Object.entries({ 'cc-number': number, 'cc-exp': '1239', 'cc-csc': code })) {
    await frame.locator(`[autocomplete=${name}]`).pressSequentially(keys)
  }
  const holder = frame.locator('[autocomplete=cc-name]:visible')
  if ((await holder.count()) > 0) await holder.fill(buyer['name'] ?? '')
}

/** The button that pays: the scenario's, else the one that sends the form around the card form. */
async function payButton(page: Page, { payButton: name }: Scenario): Promise<Locator> {
  if (name !== undefined) return page.getByRole('button', { name })
  const sends = page.locator('form:has(iframe[src*="/v1/card?"]) :is(button:not([type=button]), input[type=submit])')
  if ((await sends.count()) > 0) return sends.last()
  const withSum = page.locator('button:visible').filter({ hasText: /\d/ })
  if ((await withSum.count()) > 0) return withSum.last()
  throw new Error('No button seems to pay: name its text as "payButton" of the scenario.')
}
