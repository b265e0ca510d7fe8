import { contract, type PluginDeployment } from '@tillwright/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsOf } from '../../../.ci/accessibility.ts'
import { firstOf, soaks } from '../../../.ci/soaks.ts'
import { newInstrument, pay } from '../../../packages/platform/test/pay-with-card.ts'
import { deployPlugin } from '../../../packages/platform/test/plugins/deploy-plugin.ts'
import { sharedPlatform, type TestPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

const platform = sharedPlatform({ env: consoleHost })

/** Each would set `window.executed` where a page took a text for its own code. */
const hostile = [
  '<img src=x onerror="window.executed=1">',
  '"><script>window.executed=2</script>',
  "javascript:window.executed=3//'",
  '<svg/onload=window.executed=4>',
  '{{constructor.constructor("window.executed=5")()}}',
  '</title><style>*{display:none}</style><base href=//attacker.example/>',
  '\u202e\u2066<iframe srcdoc="<script>parent.executed=6</script>">',
]

test('no page of the console runs the texts of buyers and tenants, and each is accessible, also by keyboard alone, and fits a telephone, in every direction', async () => {
  const { pluginId } = await plant(platform())
  const { page, complaints } = await signedIn(platform(), 'owner', { locale: 'ar' })
  const { origin } = new URL(page.url())
  expect(await page.locator('meta[name=description]').getAttribute('content')).toMatch(/\w+ \w+/)
  const menu = page.locator('nav a')
  const paths = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  expect(paths.length).toBeGreaterThan(10)
  let lists = 0
  for (const path of paths) {
    await page.goto(origin + path)
    const row = page.getByRole('table').getByRole('link').first()
    await settled(page)
    const isList = (await row.count()) > 0
    // All lists are drawn by the same page: axe looks at the first of them, in a soak at each.
    await check(page, { hasAxe: soaks || !isList || lists++ === 0 })
    if (!isList) continue
    await row.click()
    await page.locator('.call').waitFor()
    await check(page, { hasAxe: true })
    const deployment = page.locator('main a[href*="/deployments/"]').first()
    if ((await deployment.count()) === 0) continue
    await deployment.click()
    await page.waitForURL('**/deployments/**')
    await page.locator('.pages').waitFor()
    await check(page, { hasAxe: true })
  }
  // The one page with a frame: that of the plugin whose settings it shows.
  await page.goto(`${origin}/console/plugins/${pluginId}/settings`)
  await page.locator('.clashes').waitFor()
  await page.locator('iframe').waitFor({ state: 'attached' })
  await check(page, { hasAxe: true, frames: 1 })
  expect(complaints).toEqual([])
}, 900_000) // some thirty pages, each loaded, read by axe and walked by keyboard: minutes on a machine with much else to do

const forms = [
  { colorScheme: 'light', width: 1_280 },
  { colorScheme: 'dark', width: 320 },
] as const

/**
 * Checks the page's present state. Pages take turns in being light on a desktop and dark on a telephone;
 * that with a frame is both, and in a soak all are.
 */
async function check(page: Page, { hasAxe, frames = 0 }: { hasAxe: boolean; frames?: number }): Promise<void> {
  await settled(page)
  const state = 'JSON.stringify([window.executed, document.baseURI.startsWith(location.origin), frames.length])'
  expect(await page.evaluate(state), page.url()).toBe(`[null,true,${frames}]`)
  const some = frames > 0 ? forms : firstOf(checked % 2 === 0 ? forms : forms.toReversed())
  for (const { colorScheme, width } of some) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    if (hasAxe) {
      const violations = await violationsOf(page)
      // Axe looks into a frame as well: the page there has a landmark `main` of its own.
      const own = violations.filter((each) => frames === 0 || !each.startsWith('landmark-unique'))
      expect(own, `${page.url()} at ${width}, ${colorScheme}`).toEqual([])
    }
    await page.keyboard.press('Tab') // From here on the browser shows where the focus is.
    expect(await page.evaluate(unreachable), `${page.url()} by keyboard`).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, `${page.url()} at ${width}`).toBeLessThanOrEqual(0)
  }
  checked += 1
}

let checked = 0

/**
 * Elements that a mouse can use and a keyboard cannot: those that cannot have the focus, have it invisibly or out of
 * sight, or react to a click without being a control.
 */
const unreachable = `(() => {
  const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
  const shown = [...document.querySelectorAll(controls)].filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }))
  const named = (each) => each.outerHTML.slice(0, 120)
  const hasRing = ({ outlineStyle, outlineWidth, boxShadow }) => (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
  const isInSight = ({ left, right, width }) => width > 0 && right > 0 && left < innerWidth
  const lost = shown.filter((each) => {
    each.focus()
    if (document.activeElement !== each || each.tabIndex < 0) return true
    return !hasRing(getComputedStyle(each)) || !isInSight(each.getBoundingClientRect())
  })
  document.activeElement?.blur()
  const clicked = [...document.querySelectorAll('main *')].filter((each) =>
    getComputedStyle(each).cursor === 'pointer' && !each.closest(controls + ', label') && each.querySelector(controls) === null)
  return [...lost, ...clicked].map(named)
})()`

async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('[aria-busy=true], .bone').first().waitFor({ state: 'detached' })
}

/** Puts the texts wherever a tenant or a buyer may write freely. */
async function plant(own: TestPlatform): Promise<PluginDeployment> {
  const { call, local, request } = own
  for (const text of hostile) {
    await request('GET', `/api/payments/v1/payments/${encodeURIComponent(text)}`)
    const customerData = { email: `mallory${hostile.indexOf(text)}@example.com`, firstName: text, lastName: text }
    const { id } = await newInstrument(own, { customerData })
    const payment = await pay(own, id)
    await call(contract.payments.refund, { params: { paymentId: payment.id }, body: { amount: 100, reason: text } })
    const { productId } = await call(contract.products.create, {
      body: {
        storeId: local.storeId,
        name: text,
        description: text,
        isShippable: false,
        variants: [{ name: text, default: true, prices: [{ currencyOptions: { USD: { amount: 100 } } }] }],
      },
    })
    await call(contract.orders.update, {
      params: { orderId: payment.orderId },
      body: { revision: 1, metadata: { [productId]: text } },
    })
    await call(contract.stores.create, { body: { name: text, baseCurrency: 'USD' } })
    await call(contract.members.invite, {
      body: { email: `m${hostile.indexOf(text)}@example.com`, name: text, role: 'support' },
    })
    await call(contract.apiKeys.create, { body: { kind: 'secret', name: text } })
    await deployPlugin(own, {
      manifest: { name: text, description: text, pages: [{ id: 'page', path: '/', name: text }] },
      sourceData: { commit: text, branch: text, message: text },
    })
  }
  return plantSettings(own)
}

/** Settings whose names, titles, choices and values are these texts, and of which author and merchant want others. */
async function plantSettings({ call, ...own }: TestPlatform): Promise<PluginDeployment> {
  const content = '<!doctype html><html lang="en"><title>Page</title><main><h1>Page</h1></main></html>'
  const deployment = await deployPlugin({ ...own, call }, { inlineAssets: [{ path: 'index.html', content }] })
  const { id: deploymentId } = deployment
  const all = (change: (text: string) => unknown) => Object.fromEntries(hostile.map((text) => [text, change(text)]))
  const schema = {
    type: 'object',
    properties: all((text) => ({ type: 'string', title: text, description: text, examples: [text] })),
  }
  const uiSchema = { 'ui:groups': hostile.map((text) => ({ title: text, fields: [text] })) }
  const [preset = '', template = ''] = hostile
  const sync = (value: string) =>
    call(contract.plugins.syncConfig, {
      body: { deploymentId, schema, uiSchema, presets: { [preset]: all((text) => text + value) } },
    })
  await sync('')
  await call(contract.pluginManagement.updateSettings, {
    body: { deploymentId, presets: { [preset]: all(() => template) }, templates: { [template]: all((text) => text) } },
  })
  await sync('!')
  return deployment
}
