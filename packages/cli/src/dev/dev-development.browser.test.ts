import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DevEvent } from '@tillwright/plugin-dev'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { inSoak } from '../../../../.ci/soaks.ts'
import { runCommand } from '../testing/run-command.ts'
import { simplePlugin } from '../testing/simple-plugin.ts'
import { startDevelopment, type RunningDevelopment } from '../testing/start-development.ts'
import { tillwright, type Run } from '../testing/tillwright.ts'

const HOUR_MS = 60 * 60 * 1_000

let development: RunningDevelopment
beforeAll(async () => {
  development = await startDevelopment()
})
afterAll(() => development.stop())

/** A page that pays with the SDK and shows the outcome. */
const payPage = `import { openPage } from '${join(import.meta.dirname, '../../../plugin-sdk/src/index.ts')}'
const page = openPage()
document.body.innerHTML = '<main><h1></h1><p id="order"></p><div id="card"></div><button>Pay</button><p role="status"></p></main>'
const text = (place, words) => { document.querySelector(place).textContent = words }
const show = () => {
  text('h1', String(page.config.get().headline))
  text('#order', String(page.order.get()?.amount))
}
page.session.subscribe(show)
page.config.subscribe(show)
show()
void page.session.ready().then(async () => {
  await page.customer.setContact({ email: 'ada@example.com' })
  await page.pay.mount('#card')
}).catch((error) => text('[role=status]', error.message))
document.querySelector('button').addEventListener('click', async () => {
  const { outcome, error } = await page.pay.withCard()
  text('[role=status]', error === undefined ? outcome : error.message)
})
Object.assign(window, { page })
`

/** A plugin with a headline in its settings, and a home folder with a login to the platform. */
async function loggedIn() {
  const folder = await simplePlugin(payPage, [{ name: 'Loud', preset: 'loud', card: 'success' }])
  const file = join(folder, 'plugin.manifest.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  const setUp = (plain: string) => {
    const schema = { type: 'object', properties: { headline: { type: 'string' } } }
    const presets = { plain: { headline: plain }, loud: { headline: 'LOUD' } }
    const configuration = { schema, presets, defaultPreset: 'plain' }
    return writeFile(file, JSON.stringify({ ...manifest, configuration }))
  }
  await setUp('Welcome')
  const home = join(folder, '.home')
  const env = { XDG_CONFIG_HOME: home, TILLWRIGHT_HOME: home, CI: '1', ...development.trust }
  const command = async (args: readonly string[], more: Record<string, string> = {}) => {
    const run = await tillwright(args, { ...env, ...more })
    const code = await run.ended
    return { code, ...run.printed() }
  }
  const { apiUrl, apiKey, storeId } = development
  const login = ['login', '--target', 'development', '--url', apiUrl, '--store', storeId]
  expect(await command(login, { TILLWRIGHT_API_KEY: apiKey })).toMatchObject({ code: 0 })
  return { folder, env, command, setUp }
}

function eventsOf(run: Run): DevEvent[] {
  return run
    .printed()
    .out.split('\n')
    .flatMap((line): DevEvent[] => (line.startsWith('{') ? [JSON.parse(line)] : []))
}

async function urlOf(run: Run): Promise<string> {
  const ready = await vi.waitFor(
    () => {
      const event = eventsOf(run).find(({ type }) => type === 'ready')
      if (event?.type !== 'ready') throw new Error(`It did not become ready: ${JSON.stringify(run.printed())}`)
      return event
    },
    { timeout: 60_000 },
  )
  return ready.url
}

/** A page and the text of all responses it received. */
async function opened(): Promise<{ page: Page; answers: () => Promise<string> }> {
  const context = await (await sharedChromium()).newContext({ ignoreHTTPSErrors: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const bodies: Promise<string>[] = []
  page.on('response', (response) => bodies.push(response.text().catch(() => '')))
  return { page, answers: async () => (await Promise.all(bodies)).join('\n') }
}

test('on a development platform, pages follow settings, pay, renew their session and survive an outage, without its key', async () => {
  const { folder, env, setUp } = await loggedIn()
  const without = await tillwright(['dev', folder, '--target', 'development', '--json', '--port', '0'], env)
  const url = await urlOf(without)
  expect(eventsOf(without)).toContainEqual({
    type: 'notice',
    message: expect.stringContaining("--origin 'http://localhost:*'"),
  })
  const { page, answers } = await opened()
  await page.goto(url)
  await page.getByText('2400').waitFor()
  await page.getByText('publishableKey must begin with').waitFor()
  await page.goto('about:blank') // it would reload as soon as the next server is up
  without.child.kill('SIGINT')
  expect(await without.ended).toBe(0)
  const { port } = new URL(url)
  const publishableKey = await development.makePublishableKey('http://localhost:*')
  const args = ['--target', 'development', '--json', '--port', port, '--publishable-key', publishableKey]
  const dev = await tillwright(['dev', folder, ...args], env)
  expect(await urlOf(dev)).toBe(url)
  await page.goto(url)
  await page.getByText('2400').waitFor()
  await setUp('Autumn')
  await page.getByText('Autumn').waitFor()
  const card = page.frameLocator('#card iframe')
  await card.locator('[autocomplete=cc-number]').fill('4242424242424242')
  await card.locator('[autocomplete=cc-exp]').fill('1239')
  await card.locator('[autocomplete=cc-csc]').fill('123')
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect.poll(() => page.getByRole('status').textContent(), { timeout: 60_000 }).toBe('paid')
  const session = () => page.evaluate(async () => (await Reflect.get(globalThis, 'page').session.refresh()).sessionId)
  const before = await session()
  development.advance(2 * HOUR_MS)
  expect(await session()).not.toBe(before)
  await development.stopPlatform()
  const asked = session()
  asked.catch(() => {}) // reported below, or by an earlier failure
  await page.getByText('The platform does not answer').waitFor()
  await development.startPlatform()
  expect(await asked).toMatch(/^fsn_/)
  await expect.poll(() => page.locator('tillwright-overlay').count()).toBe(0)
  expect(await answers()).toContain('fstok_')
  expect((await answers()) + JSON.stringify(dev.printed())).not.toContain(development.apiKey)
})

// `test` and `preview` have tests on the local platform, and `dev` logs in to this one above.
test.each(inSoak)('scenarios are tested, published and previewed on a development platform', async () => {
  const { folder, command } = await loggedIn()
  await writeFile(join(folder, 'scenarios.json'), JSON.stringify({ scenarios: [{ name: 'Plain' }] }))
  const { pages } = JSON.parse(await readFile(join(folder, 'plugin.manifest.json'), 'utf8'))
  await writeFile(join(folder, `src/pages/${pages[0].id}.ts`), "document.body.innerHTML = '<main><h1>Hi</h1></main>'\n")
  const target = ['--target', 'development']
  const tested = await command(['test', folder, ...target])
  expect([tested.code, tested.out, tested.err]).toEqual([
    0,
    expect.stringContaining('1 scenario, no problems'),
    expect.stringContaining('Card forms are not shown'),
  ])
  const early = await command(['preview', folder, ...target])
  expect([early.code, early.err]).toEqual([1, expect.stringContaining('deploy it with "tillwright publish"')])
  const published = await command(['publish', folder, ...target, '--yes'])
  // The certificate of this platform is not one for its plugins' hosts.
  expect([published.code, published.out]).toEqual([
    1,
    expect.stringMatching(/The live page cannot be opened from here/),
  ])
  expect(published.out).toContain('is active')
  const { code, out } = await command(['preview', folder, ...target, '--scenario', 'Plain'])
  expect([code, out]).toEqual([0, expect.stringMatching(/^https:\/\/.+#tillwright-code=fscode_preview_\w+\n$/)])
})

test('dev, test and preview refuse production', async () => {
  const folder = await simplePlugin(payPage, [{ name: 'Plain' }])
  for (const name of ['dev', 'test', 'preview']) {
    const refused = await runCommand([name, folder, '--target', 'production'], {})
    expect([refused.code, refused.err], name).toEqual([2, expect.stringMatching(/production/)])
  }
})
