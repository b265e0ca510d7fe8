import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { closeContexts, sharedChromium } from '../../../../.ci/chromium.ts'
import { bundleOptions, folderWithPackages } from '../../test/bundled-plugin.ts'
import type { Bundle } from './bundle.ts'
import { bundlePlugin } from './bundler.ts'

const strict =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; worker-src 'self'; base-uri 'self'"

/** An image of 2 by 1 pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DA8J8BAAf/Af8Bf4mnAAAAAElFTkSuQmCC',
  'base64',
)

const page = `import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import styles from './pay.module.css'
import logo from '../logo.png'

function Page() {
  const [sum, setSum] = useState(0)
  const [later, setLater] = useState('')
  useEffect(() => {
    const worker = new Worker(new URL('../sum.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }) => setSum(data)
    worker.postMessage([1, 2, 3])
  }, [])
  const load = async () => setLater((await import('../later.ts')).later())
  return <main class={styles.page}>
    <img src={logo} alt="Logo" />
    <output>{sum}</output>
    <button type="button" onClick={load}>{later || 'Load'}</button>
  </main>
}

render(<Page />, document.querySelector('#app')!)
`
const files = {
  'src/pages/pay.tsx': page,
  'src/pages/pay.module.css': '.page { color: rgb(1, 2, 3); background: url(../logo.png) }',
  'src/add.ts': 'export const add = (all: number[]) => all.reduce((a, b) => a + b, 0)',
  'src/sum.ts': "import { add } from './add.ts'\nonmessage = ({ data }) => postMessage(add(data))",
  'src/later.ts': "import { add } from './add.ts'\nexport const later = () => `Loaded ${add([20, 22])}`",
  'src/logo.png': png,
}

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closeContexts(browser))

/** Serves a build at the paths of all its pages as a platform would: with a base, and under a policy. */
async function serve({ files: built }: Bundle, policy: string, document: string): Promise<string> {
  const server: Server = createServer(({ url = '/' }, response) => {
    const path = url.startsWith('/shop/assets/') ? url.slice('/shop/'.length) : document
    const found = built.find((file) => file.path === path)
    const text = Buffer.from(found?.bytes ?? [])
    const body = path === document ? text.toString().replace('<head>', '<head><base href="/shop/">') : text
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': found?.contentType ?? 'text/plain',
      'content-security-policy': policy,
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop/a/deep/path`
}

/** Opens a page, clicks through it, and returns the messages of its console. */
async function visit(address: string): Promise<string[]> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const tab = await context.newPage()
  const messages: string[] = []
  tab.on('console', (message) => messages.push(message.text()))
  tab.on('pageerror', (error) => messages.push(error.message))
  await tab.goto(address)
  await tab.getByText('6', { exact: true }).waitFor()
  expect(await tab.locator('img').evaluate((image) => image.getBoundingClientRect().width)).toBe(2)
  expect(await tab.locator('main').evaluate((main) => getComputedStyle(main).color)).toBe('rgb(1, 2, 3)')
  await tab.getByRole('button', { name: 'Load' }).click()
  await tab.getByRole('button', { name: 'Loaded 42' }).waitFor()
  return messages
}

test('a page works under a strict policy, at any path: style, image, worker and lazy modules', async () => {
  const bundle = await bundlePlugin(bundleOptions(await folderWithPackages(files)))
  expect(bundle.problems).toEqual([])
  expect(await visit(await serve(bundle, strict, 'pages/pay.html'))).toEqual([])
})

test('an application works under the policy in the report', async () => {
  const root = await folderWithPackages({ ...files, 'src/app.ts': "void import('./pages/pay.tsx')" })
  const pages = [{ id: 'pay', path: '/pay', name: 'Pay', entry: 'src/app.ts' }]
  const bundle = await bundlePlugin(bundleOptions(root, { mode: 'spa-mode', pages }))
  expect(bundle.problems).toEqual([])
  expect(await visit(await serve(bundle, bundle.report?.pages[0]?.csp ?? '', 'index.html'))).toEqual([])
})

test('a script that was modified in transit does not run', async () => {
  const bundle = await bundlePlugin(bundleOptions(await folderWithPackages(files)))
  const script = bundle.files.find(({ path }) => /pay-.*\.js$/.test(path))
  if (script !== undefined) script.bytes = Buffer.concat([script.bytes, Buffer.from('document.title = "changed"')])
  const tab = await browser.newPage()
  onTestFinished(() => tab.close())
  const refusal = tab.waitForEvent('console', (message) => message.text().includes('integrity'))
  await tab.goto(await serve(bundle, strict, 'pages/pay.html'))
  await refusal
  expect(await tab.title()).toBe('Pay')
})
