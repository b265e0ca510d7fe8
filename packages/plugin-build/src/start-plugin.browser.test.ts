import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { closeContexts, sharedChromium } from '../../../.ci/chromium.ts'
import { pluginFolder } from '../test/plugin-folder.ts'
import { buildPlugin } from './build-plugin.ts'
import { DATA_MARKER } from './bundle/documents.ts'
import { startPlugin } from './start-plugin.ts'

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closeContexts(browser))

/** Serves a new plugin's build, with the given page data in the document. */
async function serve(mode: 'direct-mode' | 'spa-mode', data: string): Promise<string> {
  const { files } = await startPlugin('/nowhere', { name: 'Shop', mode })
  const root = await pluginFolder(Object.fromEntries(files.map(({ path, text }) => [path, text])))
  const built = await buildPlugin(root, { environment: {}, target: null })
  const server = createServer(({ url = '/' }, response) => {
    const isPage = url === '/'
    const file = built.files.find(({ path }) => (isPage ? path.endsWith('.html') : `/${path}` === url))
    const bytes = Buffer.from(file?.bytes ?? [])
    response.writeHead(file === undefined ? 404 : 200, { 'Content-Type': file?.contentType ?? 'text/plain' })
    response.end(isPage ? bytes.toString().replace(DATA_MARKER, data) : bytes)
  }).listen(0)
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // of a server listening on a port
  return `http://localhost:${port}/`
}

const shownSettings =
  '<script type="application/json" id="tillwright-data">{"config":{"headline":"Welcome","colour":"rgb(1, 2, 3)"}}</script>'

test.for([
  ['direct-mode', 'Welcome', 'rgb(1, 2, 3)', shownSettings],
  ['spa-mode', 'Welcome', 'rgb(1, 2, 3)', shownSettings],
  ['direct-mode', 'Hello', 'rgb(34, 68, 102)', ''],
] as const)('the page of a new plugin in %s shows %s in %s', async ([mode, headline, colour, data]) => {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(await serve(mode, data))
  const shown = page.getByRole('heading')
  expect(await shown.textContent()).toBe(headline)
  expect(await shown.evaluate((element) => getComputedStyle(element).color)).toBe(colour)
})
