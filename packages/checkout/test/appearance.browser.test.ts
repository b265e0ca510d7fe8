import * as fc from 'fast-check'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { propertyOf, variableRules } from '../src/frame/appearance.ts'
import { contrastRatio } from './contrast-ratio.ts'
import { mountCard, tokenize } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

const patience = { timeout: 60_000 }

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

/** Every variable with a value that is not the default, and the property of an element that shows it. */
const visible = [
  ['colorPrimary', 'rgb(1, 2, 3)', '#cvc:focus', 'outlineColor', 'rgb(1, 2, 3)'],
  ['colorFocus', '#010203', '#cvc:focus', 'outlineColor', 'rgb(1, 2, 3)'],
  ['colorText', 'navy', 'body', 'color', 'rgb(0, 0, 128)'],
  ['colorMuted', 'teal', '.mark', 'color', 'rgb(0, 128, 128)'],
  ['colorIcon', 'rgb(4 5 6)', '.mark', 'color', 'rgb(4, 5, 6)'],
  ['colorDanger', '#a00', '#number', 'borderTopColor', 'rgb(170, 0, 0)'],
  ['colorBorder', 'hsl(0, 100%, 50%)', '#expiry', 'borderTopColor', 'rgb(255, 0, 0)'],
  ['colorField', 'light-dark(yellow, red)', '#expiry', 'backgroundColor', 'rgb(255, 255, 0)'],
  ['colorFieldText', 'maroon', '#expiry', 'color', 'rgb(128, 0, 0)'],
  ['colorLabel', 'purple', 'label', 'color', 'rgb(128, 0, 128)'],
  ['colorPlaceholder', 'olive', '#expiry::placeholder', 'color', 'rgb(128, 128, 0)'],
  ['fontFamily', 'Georgia, serif', 'input', 'fontFamily', 'Georgia, serif'],
  ['fontSize', '20px', 'input', 'fontSize', '20px'],
  ['fontWeight', '700', 'input', 'fontWeight', '700'],
  ['lineHeight', '2', 'input', 'lineHeight', '32px'],
  ['labelFontSize', '1.5em', 'label', 'fontSize', '24px'],
  ['labelFontWeight', '300', 'label', 'fontWeight', '300'],
  ['borderRadius', '3px', 'input', 'borderTopLeftRadius', '3px'],
  ['borderWidth', '3px', 'input', 'borderTopWidth', '3px'],
  ['focusWidth', '4px', '#cvc:focus', 'outlineWidth', '4px'],
  ['spacing', '1rem', 'form', 'columnGap', '16px'],
  ['fieldPaddingX', '5px', '#cvc', 'paddingLeft', '5px'],
  ['fieldPaddingY', '6px', '#cvc', 'paddingTop', '6px'],
  ['iconStyle', 'mono', '.mark', 'filter', 'grayscale(1)'],
] as const

test('each of the 24 variables shows where it should', async () => {
  expect(visible.map(([name]) => name).toSorted()).toEqual(Object.keys(variableRules).toSorted())
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await frame.locator('#number').pressSequentially('41')
  await frame.locator('#cvc').focus()
  for (const [name, value, selector, property, shown] of visible) {
    await restyle(page, { variables: { [name]: value } })
    await expect.poll(() => computed(frame, selector, property), { ...patience, message: name }).toBe(shown)
  }
})

/** Values that fit some variable, with something hostile in them or without. */
const hostile = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('red', 'rgb(1, 2, 3)', '12px', '"Arial", serif', '400'),
      fc.string({ maxLength: 12 }),
      fc.nat(14),
    )
    .map(([fit, attack, at]) => fit.slice(0, at) + attack + fit.slice(at)),
  fc.constantFrom(
    'red;background:url(//thief.example)',
    'red}#number{display:none',
    '</style><script>alert(1)</script>',
    'url(//thief.example)',
    'var(--color-text)',
    'expression(alert(1))',
    'red\\;color:blue',
    'red !important',
    'inherit',
    '\0red',
  ),
)
const looks = fc.record(
  Object.fromEntries(visible.map(([name, fit]) => [name, fc.oneof(fc.constant<string>(fit), hostile, hostile)])),
)

test('no value of a shop does more than set its own custom property to something that CSS understands', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  const root = frame.locator('html')
  const before = await root.evaluate(standardStyle)
  const accepted = new Map<string, string>()
  for (const [index, variables] of fc.sample(looks, { numRuns: 24, seed: 4 }).entries()) {
    const spacing = `${index}.5px` // shows that this look has been applied
    await restyle(page, { variables: { ...variables, spacing } })
    await expect.poll(() => root.getAttribute('style'), patience).toContain(`--spacing: ${spacing};`)
    const rules = await root.evaluate(rulesOfItsStyle)
    expect(rules).toHaveLength(2)
    for (const [property, value] of rules[0] ?? []) accepted.set(`${property}: ${value}`, property)
  }
  await restyle(page, {})
  await expect.poll(() => root.getAttribute('style'), patience).toBe('')
  expect(await root.evaluate(standardStyle)).toBe(before)
  expect(new Set(accepted.values())).toEqual(new Set(visible.map(([name]) => propertyOf(name))))
  const colors = Array.from(accepted.keys()).flatMap((text) => /^--color-[a-z-]+: (.*)$/.exec(text)?.[1] ?? [])
  expect(await page.evaluate((all) => all.filter((color) => !CSS.supports('color', color)), colors)).toEqual([])
})

/** The root's style attribute, parsed as part of a style sheet: what breaks out would show as another rule or property. */
function rulesOfItsStyle(html: Element): [string, string][][] {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`html { ${html.getAttribute('style')} } form { color: red }`)
  return Array.from(sheet.cssRules, (rule) => {
    const { style } = rule as CSSStyleRule // both rules of the text above are style rules, or the test fails here
    return Array.from(style, (property): [string, string] => [property, style.getPropertyValue(property)])
  })
}

function standardStyle(html: Element): string {
  const style = getComputedStyle(html)
  return Array.from(style, (property) => `${property}: ${style.getPropertyValue(property)}`).join('\n')
}

test('what does not fit changes nothing, and the rest of the appearance holds', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  const variables = {
    colorField: 'url(//thief.example)',
    background: 'red',
    toString: 'red',
    colorText: 'rgb(1, 2, 3)',
  }
  await restyle(page, { theme: 'flat', variables })
  await expect.poll(() => computed(frame, 'body', 'color'), patience).toBe('rgb(1, 2, 3)')
  expect(await frame.locator('html').getAttribute('style')).toBe('--color-text: rgb(1, 2, 3);')
  expect(await computed(frame, 'input', 'backgroundColor')).toBe('rgb(237, 239, 244)')
})

// The background that a theme is made for.
const grounds = {
  light: 'rgb(255, 255, 255)',
  flat: 'rgb(255, 255, 255)',
  minimal: 'rgb(255, 255, 255)',
  dark: 'rgb(18, 20, 28)',
}

test('in every theme text has a contrast of 4.5, rings and edges 3', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  for (const theme of ['light', 'dark', 'flat', 'minimal'] as const) {
    await frame.locator('#number').fill('')
    await restyle(page, { theme })
    await frame.locator(`html[data-theme=${theme}]`).waitFor()
    await expectContrasts(frame, theme)
  }
})

async function expectContrasts(frame: FrameLocator, theme: keyof typeof grounds): Promise<void> {
  const number = frame.locator('#number')
  const ground = grounds[theme]
  const own = await computed(frame, '#number', 'backgroundColor')
  const field = own === 'rgba(0, 0, 0, 0)' ? ground : own
  const ratios = {
    label: contrastRatio(await computed(frame, 'label', 'color'), ground),
    text: contrastRatio(await computed(frame, '#number', 'color'), field),
    placeholder: contrastRatio(await computed(frame, '#number::placeholder', 'color'), field),
    message: contrastRatio(await computed(frame, 'p', 'color'), ground),
  }
  for (const [part, ratio] of Object.entries(ratios)) expect(ratio, `${theme}: ${part}`).toBeGreaterThanOrEqual(4.5)
  expect(contrastRatio(await computed(frame, '#number', 'borderBottomColor'), field)).toBeGreaterThanOrEqual(3)
  for (const text of ['', '41']) {
    await number.fill(text)
    await number.blur()
    await number.focus()
    const ring = await computed(frame, '#number:focus', 'borderBottomColor')
    expect(await computed(frame, '#number:focus', theme === 'minimal' ? 'boxShadow' : 'outline')).toContain(ring)
    for (const beside of [field, ground]) expect(contrastRatio(ring, beside)).toBeGreaterThanOrEqual(3)
  }
}

test('with forced colours each field is a box, the ring is there and a wrong field has another edge', async () => {
  const page = await stage.openShop()
  await page.emulateMedia({ forcedColors: 'active' })
  const frame = await mountCard(page, { appearance: { theme: 'minimal', variables: { borderWidth: '0' } } })
  expect(await computed(frame, '#number', 'borderTopWidth')).toBe('1px')
  expect(await computed(frame, '#number', 'borderTopStyle')).toBe('solid')
  await tokenize(page)
  await expect.poll(() => computed(frame, '#number', 'borderTopStyle'), patience).toBe('dashed')
  expect(await computed(frame, '#number:focus', 'outlineStyle')).toBe('solid')
})

test('nothing moves for those who want nothing to move', async () => {
  const page = await stage.openShop()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const frame = await mountCard(page)
  await frame.locator('#number').focus()
  await tokenize(page)
  expect(await frame.locator('html').evaluate(() => document.getAnimations().length)).toBe(0)
})

// 1280 pixels at 400 % are 320; the widest letters that a shop can choose make it harder still.
test('in narrow and wide windows, with letters of any size, nothing scrolls sideways', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { locale: 'de' })
  await tokenize(page)
  for (const [width, fontSize, isStacked] of [
    [320, '16px', false],
    [320, '24px', true],
    [200, '16px', true],
    [1280, '16px', false],
  ] as const) {
    await page.setViewportSize({ width, height: 640 })
    await restyle(page, { variables: { fontSize } })
    await expect.poll(() => computed(frame, 'input', 'fontSize'), patience).toBe(fontSize)
    const tops = () =>
      frame.locator('.field').evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().top))
    await expect.poll(async () => new Set(await tops()).size, patience).toBe(isStacked ? 3 : 2)
    const root = frame.locator('html')
    expect(await root.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

/** Sets a look as a page without types may. */
async function restyle(page: Page, appearance: unknown): Promise<void> {
  await page.evaluate((json) => window.card.update({ appearance: JSON.parse(json) }), JSON.stringify(appearance))
}

/** One computed property of the first element that matches; `::placeholder` may stand at the end of the selector. */
function computed(frame: FrameLocator, selector: string, property: string): Promise<string> {
  const [element = '', pseudo] = selector.split(/(?=::)/)
  return frame
    .locator(element)
    .first()
    .evaluate((node, [name, part]) => Reflect.get(getComputedStyle(node, part ?? null), name ?? ''), [property, pseudo])
}
