import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../.ci/chromium.ts'
import { firstOf, soaks } from '../../../.ci/soaks.ts'
import { builtInPlace, installPacked, type Installed } from './testing/install-packed.ts'
import { startLocal, testableEngines, type RunningLocal } from './testing/start-local.ts'

const DOMAIN = 'pay.shop.example'

let installed: Installed
// That the packed command line works where it is installed is proved by packed.test.ts.
beforeAll(async () => void (installed = await (soaks ? installPacked() : builtInPlace())), 180_000)
afterAll(() => installed?.remove())

describe.each(firstOf(testableEngines()))('on %s', (engine) => {
  let local: RunningLocal
  let browser: Browser
  let domain: string
  beforeAll(async () => {
    local = await startLocal(engine)
    domain = `http://${DOMAIN}:${new URL(local.file.apiUrl).port}`
    // The domain resolves to the platform, as with its owner's DNS, and counts as secure, as with HTTPS.
    const secure = `--unsafely-treat-insecure-origin-as-secure=${domain}`
    browser = await launchChromium([`--host-resolver-rules=MAP ${DOMAIN} 127.0.0.1`, secure])
  })
  afterAll(async () => {
    await browser?.close()
    await local?.stop()
  })

  /** Runs the packed command against the local platform, and reads its answer. */
  async function tillwright(...words: string[]) {
    const { code, out, err } = await installed.tillwright([...words, '--json'], { TILLWRIGHT_HOME: local.home })
    expect([code, err.match(/^error .*/m)]).toEqual([0, null])
    return JSON.parse(out)
  }

  /** Opens an address, and collects all errors of the page. */
  async function open(url: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
    page.on('pageerror', (error) => void complaints.push(error.message))
    await page.goto(url)
    return { page, complaints }
  }

  test('from an empty folder to a page on a domain, with the built command line', async () => {
    await tillwright('init', engine, '--yes')
    await tillwright('build', engine)
    const first = await tillwright('publish', engine)
    const onItsHost = await open(first.published.url)
    await onItsHost.page.locator('#app h1').first().waitFor()
    expect(onItsHost.complaints).toEqual([])

    await tillwright('promote', first.plan.pluginId, DOMAIN)
    const onDomain = await open(domain)
    await onDomain.page.locator('#app h1').first().waitFor()
    expect(onDomain.complaints).toEqual([])

    const source = join(installed.folder, `${engine}/src/pages/home.ts`)
    const manifest = join(installed.folder, `${engine}/plugin.manifest.json`)
    await writeFile(source, `${await readFile(source, 'utf8')}\ndocument.title = 'Second'\n`)
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"version": "0.1.0"', '"version": "0.2.0"'))
    const second = await tillwright('publish', engine)
    expect(second.plan.files.changed).toEqual([expect.objectContaining({ path: 'pages/home.html' })])
    await onDomain.page.reload()
    await expect.poll(() => onDomain.page.title()).toBe('Second')

    expect(await tillwright('publish', engine)).toMatchObject({
      plan: { isNothing: true },
      published: { uploaded: { bytes: 0 } },
    })
    await tillwright('rollback', first.plan.pluginId)
    await onDomain.page.reload()
    await onDomain.page.locator('#app h1').first().waitFor()
    expect(await onDomain.page.title()).not.toBe('Second')
    expect(onDomain.complaints).toEqual([])
  })
})
