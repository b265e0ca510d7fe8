import { rm } from 'node:fs/promises'
import { contract, type PluginDeployment } from '@tillwright/contract'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violationsOf } from '../../../.ci/accessibility.ts'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { pressEnter } from '../../../.ci/press-enter.ts'
import { manualClock } from '../../../packages/platform/src/runtime/clock.ts'
import { deployPlugin } from '../../../packages/platform/test/plugins/deploy-plugin.ts'
import { ruleEngines, sharedPlatform, type TestPlatform } from '../../../packages/platform/test/test-platform.ts'
import { buildPlugin } from '../../../packages/plugin-build/src/index.ts'
import { firstVariant } from '../../../packages/plugin-sdk/test/local-page.ts'
import { pluginFolder } from '../../../packages/plugin-sdk/test/plugin-folder.ts'
import { consoleHost, signedIn } from './signed-in.ts'

const { settings, updateSettings, restoreSettings } = contract.pluginManagement

const schema = {
  type: 'object',
  properties: {
    headline: { type: 'object', format: 'translation', title: 'Headline' },
    note: { type: 'string', title: 'Note' },
    size: { type: 'integer', title: 'Size', minimum: 1, default: 3 },
  },
}

/** A page made with the SDK that says what the setting `headline` is, and sells the demo shop's product. */
async function deployed(platform: TestPlatform): Promise<PluginDeployment> {
  const manifest = { pluginId: 'shop', name: 'Shop', version: '1.0.0', pages: [{ id: 'home', path: '/' }] }
  const folder = await pluginFolder({
    'package.json': '{}',
    'plugin.manifest.json': JSON.stringify(manifest),
    'src/pages/home.ts': shop(await firstVariant(platform)),
  })
  const { files } = await buildPlugin(folder, { environment: {}, target: 'test' })
  await rm(folder, { recursive: true })
  const inlineAssets = files.map(({ path, bytes, contentType }) => ({
    path,
    contentType,
    content: Buffer.from(bytes).toString('base64'),
    encoding: 'base64' as const,
  }))
  return deployPlugin(platform, { manifest, inlineAssets })
}

const shop = (variantId: string) => `import { openPage } from '@tillwright/plugin-sdk'
const page = openPage({ locales: ['en'] })
const main = document.createElement('main')
const [title, card, pay, outcome] = ['h1', 'div', 'button', 'p'].map((tag) => main.appendChild(document.createElement(tag)))
document.body.append(main)
const show = () => (title.textContent = page.t(page.config.get().headline))
page.config.subscribe(show)
show()
card.id = 'card'
pay.textContent = 'Pay'
pay.onclick = async () => (outcome.textContent = (await page.pay.withCard()).outcome)
page.pay.mount(card)
const { sessionId, order } = await page.session.ready()
main.dataset.session = sessionId
if (order.lines.length === 0) await page.order.setLines([{ variantId: '${variantId}' }])
`

/** Types a card in the page of the preview and pays with it, as the bank asks for a code. */
async function payInPreview(page: Page, platform: TestPlatform): Promise<void> {
  const shown = page.frameLocator('iframe')
  const sessionId = (await shown.locator('[data-session]').getAttribute('data-session')) ?? ''
  const params = { sessionId }
  await platform.call(contract.funnels.updatePreview, { params, body: { threeds: 'challenge' } })
  const card = shown.frameLocator('#card iframe')
  await card.getByLabel('Card number').fill('4242424242424242')
  await card.getByLabel('Expiry').fill('1235')
  await card.getByLabel('Security').fill('123')
  await shown.getByRole('button', { name: 'Pay' }).click()
  const code = shown.frameLocator('dialog iframe').frameLocator('dialog iframe').getByRole('textbox')
  await code.waitFor()
  platform.clock.advance(1_000) // the bank takes a code no sooner
  await code.fill('1234')
  await pressEnter(code)
  await shown.getByText('paid').waitFor()
}

const sync = (platform: TestPlatform, deploymentId: string, standard: object) =>
  platform.call(contract.plugins.syncConfig, { body: { deploymentId, schema, presets: { standard: { ...standard } } } })

/** Headline of the page that buyers see. */
async function headlineAt(url: string): Promise<string | null> {
  const page = await (await sharedChromium()).newPage()
  await page.goto(url)
  const words = await page.locator('h1').textContent()
  await page.close()
  return words
}

/** Changes a template, makes a preset of it, shows that to buyers, and takes the template away. */
async function workWithTemplates(
  page: Page,
  { platform, deployment: { id: deploymentId, url } }: { platform: TestPlatform; deployment: PluginDeployment },
): Promise<void> {
  const shown = page.frameLocator('iframe').locator('h1')
  const save = async () => {
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Everything is saved.').waitFor()
    return platform.call(settings, { params: { deploymentId }, query: {} })
  }
  const templates = { winter: { headline: { en: 'Winter' } } }
  await platform.call(contract.plugins.syncTemplates, { body: { deploymentId, templates } })
  await page.getByLabel('Editing').selectOption('Template: winter')
  await shown.filter({ hasText: 'Winter' }).waitFor()
  expect(await page.getByLabel('Note').isChecked()).toBe(false)
  await page.getByRole('textbox', { name: 'English' }).fill('Last days')
  await page.getByLabel('Size').check()
  await page.getByRole('button', { name: 'New' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('cold')
  await dialog.getByLabel('Start from').selectOption('standard with the template winter')
  await dialog.getByRole('button', { name: 'Create' }).click()
  expect(await page.getByLabel('Editing').inputValue()).toBe('/presets/cold')
  const saved = await save()
  expect(saved.templates).toEqual({ winter: { headline: { en: 'Last days' }, size: 3 } })
  expect(saved.presets['cold']).toEqual({ ...saved.presets['standard'], ...saved.templates['winter'] })
  expect(await headlineAt(url)).toBe('Welcome')
  await page.getByRole('button', { name: 'Show this preset to buyers' }).click()
  await save()
  expect(await headlineAt(url)).toBe('Last days')
  await page.getByLabel('Editing').selectOption('Template: winter')
  await page.getByRole('button', { name: 'Remove winter' }).click()
  expect((await save()).templates).toEqual({})
}

async function openStudio(page: Page, { pluginId }: PluginDeployment): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/console/plugins/${pluginId}/settings`)
  await page.getByRole('region', { name: 'Settings' }).waitFor()
}

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost, clock: manualClock(Date.now()) })

  test('settings are typed next to the page that follows them, meet the author’s, are saved, and undone', async () => {
    const deployment = await deployed(platform())
    const { id: deploymentId, url } = deployment
    const live = () => platform().call(settings, { params: { deploymentId }, query: {} })
    await sync(platform(), deploymentId, { headline: { en: 'Hello' }, note: 'First' })
    const { page, complaints } = await signedIn(platform())
    await openStudio(page, deployment)
    const shown = page.frameLocator('iframe').locator('h1')
    await shown.filter({ hasText: 'Hello' }).waitFor()
    await shown.evaluate('document.body.dataset.kept = "yes"')
    await page.getByRole('textbox', { name: 'English' }).fill('Welcome')
    await shown.filter({ hasText: 'Welcome' }).waitFor()
    // The page was not loaded again, and buyers see nothing of it.
    expect(await shown.evaluate('document.body.dataset.kept')).toBe('yes')
    expect(await headlineAt(url)).toBe('Hello')
    await payInPreview(page, platform())

    await sync(platform(), deploymentId, { headline: { en: 'Howdy' }, note: 'Second' })
    const meanwhile = page.getByRole('group', { name: /Headline/ }).filter({ hasText: 'Howdy' })
    await meanwhile.getByText('Howdy').waitFor()
    expect(await page.getByLabel('Note').inputValue()).toBe('Second')
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await meanwhile.getByLabel('Yours').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Everything is saved.').waitFor()
    expect(await headlineAt(url)).toBe('Welcome')
    expect((await live()).presets['standard']).toMatchObject({ headline: { en: 'Welcome' }, note: 'Second' })

    await sync(platform(), deploymentId, { headline: { en: 'Good day' }, note: 'Second' })
    await page.getByRole('heading', { name: 'The author wants something else' }).waitFor()
    await page.getByLabel('The author’s').check()
    await shown.filter({ hasText: 'Good day' }).waitFor()
    await page.getByLabel('Size').fill('0')
    await page.keyboard.press('Control+s')
    await page.locator('.field', { hasText: 'Size' }).getByText('must be >= 1').waitFor()
    expect(await page.getByLabel('Size').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Size').fill('4')
    await page.keyboard.press('Control+s')
    await page.getByText('Everything is saved.').waitFor()
    expect(await headlineAt(url)).toBe('Good day')
    expect(await live()).toMatchObject({ conflicts: [], presets: { standard: { size: 4 } } })

    await page.getByRole('button', { name: 'Undo the last change' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    const newest = page.locator('.revisions > li').first()
    await newest.getByText('Restored').waitFor()
    await newest.getByText(/@example.com/).waitFor()
    await newest.getByRole('button', { name: 'Show changes' }).click()
    await newest.getByRole('row', { name: /Headline.*Good day.*Welcome/ }).waitFor()
    expect(await headlineAt(url)).toBe('Welcome')

    await workWithTemplates(page, { platform: platform(), deployment })

    await page.getByLabel('Note').fill('Not lost')
    await page.getByText('1 unsaved change', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    page.on('dialog', (dialog) => void dialog.accept())
    await openStudio(page, deployment)
    expect(await page.getByLabel('Note').inputValue()).toBe('Not lost')
    await check(page)
    expect(complaints.filter((each) => !each.includes('409'))).toEqual([])

    // The same page with a buyer's session shows no card form inside the console.
    await page.frameLocator('iframe').locator('h1').evaluate('sessionStorage.clear()')
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.locator('iframe').evaluate((frame, src) => Object.assign(frame, { src }), url)
    expect((await refused).text()).toContain(`frame-ancestors ${new URL(url).origin}"`)
  })

  test('a member who may only read sees the settings, is offered no change of them, and refused it', async () => {
    const deployment = await deployPlugin(platform())
    const { id: deploymentId } = deployment
    await sync(platform(), deploymentId, { note: 'First' })
    const edit = { deploymentId, presets: { standard: { note: 'Second' } } }
    await platform().call(updateSettings, { body: edit })
    await sync(platform(), deploymentId, { note: 'The author’s' })
    const { page } = await signedIn(platform(), 'read_only')
    await openStudio(page, deployment)
    await page.getByText('Revision 2').waitFor()
    expect(await page.getByLabel('Note').inputValue()).toBe('Second')
    await page.getByText('an owner or a developer decides between them').waitFor()
    expect(await page.getByText('Choose for each').count()).toBe(0)
    expect(await page.getByLabel('Note').isDisabled()).toBe(true)
    await page.getByText('Your role does not begin previews.').waitFor()
    expect(await page.getByRole('button', { name: /Save|Discard|Undo|Restore|Add/ }).count()).toBe(0)
    const { funnelId, stepId, storeId } = platform().local
    const sent = [
      [updateSettings.path, { deploymentId, presets: { standard: { note: 'Third' } } }],
      [restoreSettings.path, { deploymentId, revision: 1 }],
      [contract.funnels.previewSession.path.replace('{funnelId}', funnelId), { stepId, storeId }],
    ] as const
    const statuses = await page.evaluate(async (requests) => {
      const headers = { 'Content-Type': 'application/json', 'Tillwright-Console': '1' }
      const send = ([path, body]: readonly [string, object]) =>
        fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }).then(({ status }) => status)
      return Promise.all(requests.map(send))
    }, sent)
    expect(statuses).toEqual([403, 403, 403])
  })
})

const hostile = sharedPlatform({ env: consoleHost })

/** Says what a page that means harm comes to in its frame. @param apiUrl Where the console is. */
const attackOn = (apiUrl: string) => `
  const tried = {}
  const attempt = async (name, work) => {
    try { tried[name] = String(await work()) } catch (error) { tried[name] = error.name }
  }
  await attempt('read', () => parent.document.body.innerText)
  await attempt('storage', () => parent.sessionStorage.length)
  await attempt('navigate', () => { top.location.href = 'https://attacker.example/'; return 'navigated' })
  await attempt('open', () => window.open('https://attacker.example/'))
  await attempt('call', () => fetch('${apiUrl}/api/console/v1/me', { credentials: 'include' }))
  await attempt('console', () => new Promise((done) => {
    const inner = document.createElement('iframe')
    inner.src = '${apiUrl}/console'
    inner.onload = inner.onerror = () => done(inner.contentDocument === null ? 'other' : inner.contentDocument.body.childElementCount)
    document.body.append(inner)
  }))
  await attempt('cookie', () => document.cookie)
  parent.postMessage({ type: 'anything', html: '<img src=x onerror=alert(1)>' }, '*')
  document.querySelector('output').textContent = JSON.stringify(tried)
`

test('a framed page reads nothing of the console and leads it nowhere, and a hostile schema is text', async () => {
  const deployment = await deployPlugin(hostile(), {
    manifest: { pages: [{ id: 'checkout', path: '/checkout' }] },
    inlineAssets: [
      {
        path: 'pages/checkout.html',
        content: `<!doctype html><html lang="en"><title>x</title><output></output><script type="module">${attackOn(hostile().apiUrl)}</script>`,
      },
    ],
  })
  const { id: deploymentId } = deployment
  const markup = '<img src=x onerror="window.executed=1">'
  const deep = (depth: number): object =>
    depth === 0 ? { type: 'string', title: 'Bottom' } : { type: 'object', properties: { in: deep(depth - 1) } }
  const bad = {
    type: 'object',
    title: markup,
    definitions: { again: { type: 'object', properties: { again: { $ref: '#/definitions/again' } } } },
    properties: {
      hasOwnProperty: { type: 'string', title: 'Inherited' },
      constructor: { type: 'string', title: 'Constructed' },
      marked: {
        type: 'string',
        title: markup,
        description: `</p><script>window.executed=2</script>`,
        enum: [markup, 'b'],
      },
      deep: deep(25),
      again: { $ref: '#/definitions/again' },
    },
  }
  const uiSchema = { 'ui:groups': [{ title: markup, fields: ['marked', 'none'] }, 7], 'ui:order': 'none', marked: 9 }
  const body = { deploymentId, schema: bad, uiSchema, presets: { standard: { marked: 'b' } } }
  await hostile().call(contract.plugins.syncConfig, { body })
  const { status } = await hostile().request('POST', contract.plugins.syncConfig.path, {
    body: `{"deploymentId":"${deploymentId}","schema":{"properties":{"__proto__":{"type":"string"}}}}`,
  })
  expect(status).toBe(400)
  const { page } = await signedIn(hostile())
  await openStudio(page, deployment)
  const before = page.url()
  const output = page.frameLocator('iframe').locator('output')
  await output.filter({ hasText: 'cookie' }).waitFor()
  expect(JSON.parse((await output.textContent()) ?? '')).toEqual({
    read: 'SecurityError',
    storage: 'SecurityError',
    navigate: expect.stringMatching(/SecurityError|navigated/),
    open: 'null',
    call: 'TypeError',
    console: 'other',
    cookie: '',
  })
  expect(page.url()).toBe(before)
  expect(page.context().pages()).toHaveLength(1)
  await page.getByRole('group', { name: markup, exact: true }).waitFor()
  await page.getByLabel('Inherited').fill('mine')
  await page.getByLabel('Constructed').fill('mine too')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Everything is saved.').waitFor()
  const { presets } = await hostile().call(settings, { params: { deploymentId }, query: {} })
  expect(presets['standard']).toEqual({ marked: 'b', hasOwnProperty: 'mine', constructor: 'mine too' })
  expect(await page.evaluate('String(window.executed)')).toBe('undefined')
  // Its frame is the one thing that this document may show, and no other document of the console may.
  const policyAt = async (path: string) =>
    (await page.context().request.get(new URL(path, before).href)).headers()['content-security-policy'] ?? ''
  expect(await policyAt(before)).toMatch(/frame-src http:\/\/\*\.plugins\.localhost:\d+;/)
  expect(await policyAt('/console/plugins')).not.toContain('frame-src')
})

/** Accessible, and no wider than its window, side by side and one at a time. */
async function check(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1_280, 'dark'],
    [320, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    const violations = await violationsOf(page)
    // Axe looks into the frame as well: the page there has a landmark `main` of its own.
    const own = violations.filter((each) => !each.startsWith('landmark-unique'))
    expect(own, `${width}, ${colorScheme}`).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
  await page.getByRole('button', { name: 'Page', exact: true }).click()
  await page.frameLocator('iframe').locator('h1').waitFor()
  expect(await page.getByLabel('Note').isVisible()).toBe(false)
}
