import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '../../packages/contract/src/index.ts'
import { createClient } from '../../packages/client/src/index.ts'
import { manualClock } from '../../packages/platform/src/runtime/clock.ts'
import { newInstrument, pay } from '../../packages/platform/test/pay-with-card.ts'
import { sharedPlatform } from '../../packages/platform/test/test-platform.ts'
import { freePort } from '../free-port.ts'
import { root } from '../spawn-program.ts'
import { checkCommands } from './check-commands.ts'
import { checkJson } from './check-json.ts'
import { checkTypes } from './check-types.ts'
import { quickstartFiles, type QuickstartName, quickstarts } from './quickstarts.ts'
import { type PageSnippet, readSnippets } from './read-snippets.ts'
import { runShell } from './run-shell.ts'

/** Of today, as the clock of the commands is. */
const platform = sharedPlatform({ clock: manualClock(Date.now()) })
const snippets = readSnippets()
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillwright-snippets-'))
  await mkdir(join(folder, '.tillwright'))
  for (const home of [platform().folder, join(folder, '.tillwright')]) {
    await writeFile(join(home, 'local.json'), JSON.stringify(localFile()), { mode: 0o600 })
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What `tillwright start` writes for the platform of these tests. */
function localFile() {
  const { apiUrl, vaultUrl, local } = platform()
  return { ...local, apiUrl, vaultUrl, shopUrl: null, pid: process.pid }
}

/** A snippet that is wrong, so that a check that finds nothing is found out. */
function planted(language: string, code: string): PageSnippet {
  return { page: 'planted', place: 'planted:7', line: 7, language, code, title: null, notRun: null, schema: null }
}

test('snippets in TypeScript, JavaScript, Vue and Svelte have no wrong types', async () => {
  const wrong = planted('ts', 'tillwright.payments.create({ amount: "4098" })\n')
  expect(await checkTypes([...snippets, wrong])).toEqual([
    expect.stringMatching(/^apps\/docs\/pages\/planted\.md:7 error/),
  ])
})

test('snippets in JSON parse, and are what their schema says', () => {
  expect(checkJson(snippets)).toEqual([])
  const wrong = { ...planted('json', '{ "pluginId": 7 }\n'), schema: 'plugin.json' }
  expect(checkJson([wrong])).toContain('planted:7 /pluginId must be string.')
})

test('commands, options, scripts and addresses in shell snippets exist', async () => {
  const wrong = planted(
    'sh',
    'tillwright keys create --nmae "Shop"\ncurl "$API/api/payments/v1/paymets"\npnpm run nothing\n',
  )
  expect(await checkCommands([...snippets, wrong])).toEqual([
    'planted:7 calls `tillwright keys create --nmae`, an option that there is not',
    'planted:7 asks /api/payments/v1/paymets, which is no operation',
    'planted:7 calls `pnpm nothing`, a script that there is not',
  ])
})

test('the shell snippets of Start, Payments and parts of Operating and Security do on a local platform what they say', async () => {
  const { apiUrl, adminApiKey, accountId, storeId } = localFile()
  const { customers } = createClient({ apiKey: adminApiKey, baseUrl: apiUrl })
  const { id } = await customers.create({ storeId, email: 'ada@example.com' })
  const home = { TILLWRIGHT_HOME: platform().folder }
  const variables = { ...home, TILLWRIGHT_API_URL: apiUrl, TILLWRIGHT_API_KEY: adminApiKey, CUSTOMER: id }
  const ids = { acc: accountId, store: storeId, cus: id, ...(await newIds()) }
  expect(await runShell(snippets, { folder, variables, ids })).toEqual([])
})

/** What the pages name with three dots: a payment, its event, a key, an endpoint that events go to. */
async function newIds() {
  const payment = await pay(platform(), (await newInstrument(platform())).id)
  const { endpoint } = await platform().call(contract.webhookEndpoints.create, { body: { url: 'http://127.0.0.1:9/' } })
  const { apiKey } = await platform().call(contract.apiKeys.create, { body: { kind: 'secret', name: 'Shop server' } })
  const { data } = await platform().call(contract.eventLog.list, { query: { limit: '1' } })
  return { pay: payment.id, whe: endpoint.id, key: apiKey.id, evt: data[0]?.id ?? '' }
}

test('the guides for those who come from elsewhere call our server, and it does what they say', async () => {
  const guides = ['start/from-shopify-functions', 'start/from-medusa', 'start/from-stripe-checkout']
  const calls = guides.flatMap((guide) =>
    snippets.filter(
      ({ page, language, code }) => page === guide && language === 'ts' && code.includes('await tillwright'),
    ),
  )
  expect(calls.length).toBeGreaterThan(4)
  await writeFile(join(folder, 'guides.mts'), surroundings + calls.map(({ code }) => `{\n${code}}\n`).join(''))
  const said = await promisify(execFile)(process.execPath, ['guides.mts'], { cwd: folder }).catch(
    (error: unknown) => error,
  )
  expect(said).toMatchObject({ stdout: 'shipped\n', stderr: '' })
})

/** What the guides' snippets take from their shop. */
const surroundings = `import { readFileSync } from 'node:fs'
import { createClient } from '${join(root, 'packages/client/src/index.ts')}'
const { adminApiKey: apiKey, apiUrl: baseUrl, storeId } = JSON.parse(readFileSync('.tillwright/local.json', 'utf8'))
const tillwright = createClient({ apiKey, baseUrl })
const serviceToken = 'tok_visa'
const { paymentInstrument } = await tillwright.paymentInstruments.createFromToken({ serviceToken, storeId })
const paymentInstrumentId = paymentInstrument.id
const prices = [{ currencyOptions: { EUR: { amount: 4_000 }, USD: { amount: 4_000 } } }]
const variantId = 'tote-natural'
await tillwright.products.create({ storeId, name: 'Tote', variants: [{ id: variantId, name: 'Natural', prices }] })
const orderNumber = 'order-7'
const cart = { id: 'cart-7', total: 4_098 }
const ship = async () => console.log('shipped')
`

test('each quickstart is a project: a release is rehearsed with what its page has, and names the tools that build it', () => {
  const names = Object.keys(quickstarts) as QuickstartName[] // the keys of what it is typed by
  for (const name of names) {
    const { 'package.json': manifest = '', ...files } = quickstartFiles(name)
    const isNext = name === 'Next.js'
    expect(Object.keys(files), name).toContain(isNext ? 'app/page.tsx' : 'index.html')
    expect(Object.keys(files), name).toContain(isNext ? 'app/actions.ts' : 'payments.ts')
    const { dependencies } = JSON.parse(manifest)
    expect(dependencies, name).toMatchObject({ '@tillwright/client': 'latest' })
  }
  const { 'src/main.ts': main } = quickstartFiles('Vue')
  expect(main).toContain("from './PayForm.vue'")
})

test('the server of the plain page charges a card and serves the page', async () => {
  const imported = join(root, 'packages/client/src/index.ts')
  for (const [name, text] of Object.entries(quickstartFiles('plain page')))
    await writeFile(join(folder, name), text.replaceAll("'@tillwright/client'", `'${imported}'`))
  const { apiUrl, vaultUrl, apiKey, publishableKey, storeId } = localFile()
  const port = await freePort()
  const env = {
    ...process.env,
    PORT: String(port),
    TILLWRIGHT_API_URL: apiUrl,
    TILLWRIGHT_VAULT_URL: vaultUrl,
    TILLWRIGHT_API_KEY: apiKey,
    TILLWRIGHT_PUBLISHABLE_KEY: publishableKey,
    TILLWRIGHT_STORE_ID: storeId,
  }
  const child = spawn(process.execPath, ['server.ts'], { cwd: folder, env, stdio: 'inherit' })
  try {
    const url = `http://localhost:${port}`
    await expect.poll(() => fetch(url).then((page) => page.text(), String)).toContain(publishableKey)
    const answer = await fetch(`${url}/pay`, { method: 'POST', body: JSON.stringify({ serviceToken: 'tok_visa' }) })
    expect(await answer.json()).toMatchObject({ status: 'succeeded' })
    const poor = { serviceToken: 'tok_declined_insufficient_funds' }
    expect((await fetch(`${url}/pay`, { method: 'POST', body: JSON.stringify(poor) })).status).toBe(402)
    expect((await fetch(`${url}/webhooks`, { method: 'POST', body: '{}' })).ok).toBe(false)
  } finally {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  }
})
