import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AttackStage, setAttackStage } from '../attack-stage.ts'
import { mountCard, tokenize, typeCard } from '../shop-page.ts'

let stage: AttackStage
beforeAll(async () => {
  stage = await setAttackStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

const markup = ['</style><script>alert(1)</script>', '"><img src=EVIL/img onerror=alert(1)>', '<svg onload=alert(1)>']
const styles = [
  'url(EVIL/a)',
  'red url("EVIL/b")',
  'image-set("EVIL/c" 1x)',
  'red; } input[value^="4"] { background: url(EVIL/d)',
  'red !important; background: url(EVIL/e)',
  '} @import "EVIL/f"; {',
  '/* */ cross-fade(url(EVIL/g), red)',
  'var(--color-field, url(EVIL/h))',
  'expression(alert(1))',
  '\\75rl(EVIL/i)',
]

test('a value of the appearance that is markup, a rule or an address adds nothing to the form and fetches nothing', async () => {
  const page = await stage.open()
  const frame = await mountCard(page)
  const answered = answeredTo(page)
  const before = await shapeOf(page)
  for (const value of [...markup, ...styles].map(pointToEvil)) {
    const refused = await page.evaluate((text) => {
      const names = ['colorPrimary', 'colorText', 'colorField', 'fontFamily', 'fontSize', 'borderRadius', 'spacing']
      const variables = Object.fromEntries(names.map((name) => [name, text]))
      try {
        window.card.update({ appearance: { variables } })
        return null
      } catch (error) {
        return error instanceof window.Tillwright.CheckoutError ? error.code : 'unforeseen'
      }
    }, value)
    expect([null, 'argument_invalid']).toContain(refused)
  }
  await page.evaluate(() => window.card.update({ appearance: {} }))
  await typeCard(frame)
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
  expect(await shapeOf(page)).toEqual(before)
  expect(stage.evilHits).toEqual([])
  expect(answered).toEqual(['/api/vault/v1/tokens'])
  expect(stage.takeComplaints()).toEqual([])
})

test('without the policy of its document a form could be made to fetch, and the test would see it', async () => {
  const page = await stage.openWithout()
  await page.route('**/v1/card?*', async (route) => {
    const response = await route.fetch()
    const { 'content-security-policy': _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  const frame = await mountCard(page)
  const fetched = page.waitForRequest(`${stage.evilUrl}/fetched`)
  const value = pointToEvil('url(EVIL/fetched)')
  await frame.locator('#number').evaluate((input, image) => void (input.style.background = image), value)
  await fetched
})

test('a value longer than 8,192 characters is refused, and the form goes on', async () => {
  const page = await stage.open()
  const frame = await mountCard(page)
  const codes = await page.evaluate(() =>
    [8_192, 8_193, 10_000_000].flatMap((length) =>
      [{ appearance: { variables: { fontFamily: 'x'.repeat(length) } } }, { locale: 'x'.repeat(length) }].map(
        (options) => {
          try {
            window.card.update(options)
            return null
          } catch (error) {
            return error instanceof window.Tillwright.CheckoutError ? error.code : 'unforeseen'
          }
        },
      ),
    ),
  )
  expect(codes.slice(2)).toEqual(Array.from({ length: 4 }, () => 'argument_invalid'))
  expect(codes.slice(0, 2)).not.toContain('unforeseen')
  await typeCard(frame)
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('a locale that is markup, an address, a path or a prototype is answered in English from where the form lives', async () => {
  const page = await stage.open()
  const frame = await mountCard(page)
  const answered = answeredTo(page)
  const before = await shapeOf(page)
  const paths = ['../../evil', '/etc/passwd', '//EVIL/x', 'EVIL/x.js', 'javascript:alert(1)', 'x\u202ey', '%2e%2e%2f']
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty-x', '', '-', 'x'.repeat(8_192)]
  for (const locale of [...markup, ...paths, ...names].map(pointToEvil)) {
    await page.evaluate((tag) => window.card.update({ locale: tag }), locale)
    expect(await tokenize(page), locale).toMatchObject({ message: 'Enter the card number.' })
  }
  expect(await frame.locator('html').getAttribute('lang')).toBe('en')
  expect(await shapeOf(page)).toEqual(before)
  expect(answered.filter((path) => !/^\/v1\/[\w/-]+(\.\w+)?$/.test(path))).toEqual([])
  expect(stage.evilHits).toEqual([])
})

test.each(['5555555555554444', '378282246310005', '4242424242424242'])(
  'what a stripe reader types for %s is no card and goes nowhere',
  async (number) => {
    const stripe = `%B${number}^DOE/JANE^30121010000000000?;${number}=30121010000000000?`
    const swipe = async (page: Page): Promise<unknown> => {
      const frame = await mountCard(page)
      await frame.getByLabel('Expiry date').pressSequentially('1230')
      await frame.getByLabel('Security code').pressSequentially(number.startsWith('37') ? '1234' : '123')
      await frame.getByLabel('Card number').pressSequentially(stripe)
      await page.keyboard.press('Enter')
      return tokenize(page)
    }
    const page = await stage.open()
    expect(await swipe(page)).toMatchObject({ code: 'card_incomplete', field: 'number' })
    expect(await page.frameLocator('iframe').getByLabel('Card number').inputValue()).toBe('')
    expect(stage.vault.bodies).toHaveLength(0)
    // A Visa may have more digits, so those of the stripe's dates make it no card by themselves.
    if (number.startsWith('42')) return
    const dropsStripes = { file: 'card/field-edits.ts', code: 'stripeMarks.test(edit.text)', instead: 'false' }
    expect(await swipe(await stage.openWithout(dropsStripes))).toMatchObject({ serviceToken: 'service-token' })
  },
)

test('a pasted stripe is no card either', async () => {
  const page = await stage.open()
  const frame = await mountCard(page)
  await frame.getByLabel('Card number').focus()
  await page.keyboard.insertText('%B5555555555554444^DOE/JANE^30121010000000000?')
  expect(await frame.getByLabel('Card number').inputValue()).toBe('')
  expect(await tokenize(page)).toMatchObject({ code: 'card_incomplete', field: 'number' })
})

function pointToEvil(text: string): string {
  return text.replaceAll('EVIL', stage.evilUrl)
}

/** The paths that a page and its frames get an answer from, from now on; what a policy has refused is not among them. */
function answeredTo(page: Page): string[] {
  const paths: string[] = []
  page.on('response', (response) => void paths.push(new URL(response.url()).pathname))
  return paths
}

/** The shape of a document that content could change: elements that run or load, sheets, rules, attributes. */
function shapeOf(page: Page): Promise<unknown> {
  return page
    .frameLocator('iframe')
    .locator('html')
    .evaluate((root) => ({
      elements: root.querySelectorAll('*').length,
      active: root.querySelectorAll('script, style, link, img, iframe, object, embed, base').length,
      rules: [...document.styleSheets].map(({ cssRules }) => cssRules.length),
      handlers: [...root.querySelectorAll('*')].filter((one) =>
        one.getAttributeNames().some((name) => name.startsWith('on')),
      ).length,
    }))
}
