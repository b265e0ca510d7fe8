import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedPlatform } from '../../packages/platform/test/test-platform.ts'
import { freePort } from '../free-port.ts'
import { root } from '../spawn-program.ts'
import { checkCommands } from './check-commands.ts'
import { checkConfiguration, configurationLanguages } from './check-configuration.ts'
import { checkJson } from './check-json.ts'
import { checkTypes, typedLanguages } from './check-types.ts'
import { askProgram, isOf, type OtherProgramName, otherPrograms } from './other-programs.ts'
import { quickstartFiles, type QuickstartName, quickstarts } from './quickstarts.ts'
import { type PageSnippet, readSnippets } from './read-snippets.ts'

const platform = sharedPlatform()
const snippets = readSnippets()
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillwright-snippets-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const nothingSaid = { title: null, notRun: null, runBy: null, schema: null, until: null, database: null }

/** A snippet that is wrong, so that a check that finds nothing is found out. */
function planted(language: string, code: string): PageSnippet {
  return { page: 'planted', place: 'planted:7', line: 7, language, code, ...nothingSaid }
}

test('snippets in TypeScript, JavaScript, Vue and Svelte have no wrong types', { timeout: 300_000 }, async () => {
  const wrong = planted('ts', 'tillwright.payments.create({ amount: "4098" })\n')
  const code = "const shown = !shop || 'code' in shop ? shop?.code : shop.name\n"
  const context = 'declare const shop: { name: string } | { code: number } | undefined\n'
  const wrongWithoutStrict = { ...planted('ts', context + code), page: 'start/nextjs' }
  expect(await checkTypes([...snippets, wrong, wrongWithoutStrict])).toEqual([
    expect.stringMatching(/^planted:7 error/),
    expect.stringMatching(/^planted:8 error TS2339/),
  ])
})

test('snippets in JSON parse, and are what their schema says', () => {
  expect(checkJson(snippets)).toEqual([])
  const wrong = { ...planted('json', '{ "pluginId": 7 }\n'), schema: 'plugin.json' }
  expect(checkJson([wrong])).toContain('planted:7 /pluginId must be string.')
})

test('settings, policies, event streams and documents are what the platform reads, serves and sends', () => {
  expect(checkConfiguration(snippets)).toEqual([])
  const wrong = [
    planted('env', "TILLWRIGHT_ROLE=aip\nTILLWRIGHT_ROLES='api'\n"),
    planted('csp', 'script-src https://vault.example.com https://pay.google.com; img-src http:\n'),
    planted('sse', 'event: s_payment_succeded\n'),
    planted('html', '<script src="/src/main.ts"></script>\n'),
  ]
  expect(checkConfiguration(wrong)).toEqual([
    expect.stringMatching(/^planted:7 TILLWRIGHT_ROLE: /),
    "planted:7 sets `TILLWRIGHT_ROLES='api'`, which the platform does not read.",
    'planted:7 allows img-src http:, which no page needs.',
    'planted:7 lacks connect-src https://pay.google.com https://google.com.',
    'planted:7 lacks frame-src https://pay.google.com.',
    'planted:7 shows `event: s_payment_succeded`, which the platform does not send.',
    'planted:7 loads /src/main.ts, which is not there.',
  ])
})

/** A mistake in the configuration of each program. */
const mistakes: Readonly<Record<OtherProgramName, string>> = {
  nginx: 'server { ssl_verify_clients on; }\n',
  haproxy: 'frontend vault\n  bind :443\n  default_backend vaults\n',
  caddy: 'vault.example.com {\n\treverse_prxy 127.0.0.1:4401\n}\n',
  promtool: 'scrape_config: []\n',
  postgresql: 'wal_level = replicas\n',
}

for (const [name, mistake] of Object.entries(mistakes) as [OtherProgramName, string][]) {
  const { language, ...program } = otherPrograms[name]
  const title = 'title' in program ? program.title : null
  test(`snippets of ${name}'s configuration are taken by it (needs ${name}, openssl)`, ({ skip }) => {
    const place = join(folder, name)
    const said = askProgram(name, { snippets, folder: place })
    skip(said === null, 'not installed')
    expect(said).toEqual([])
    const wrong = { ...planted(language, mistake), title }
    expect(askProgram(name, { snippets: [wrong], folder: place })).toEqual([expect.stringMatching(/^planted:7 /)])
  })
}

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

/** Snippets that nothing reads, by their page and first word, and what they are. */
const listings: Readonly<Record<string, string>> = {
  'operating/many-processes process': 'a drawing',
  'operating/roles shops': 'a drawing',
  'security/keys TILLWRIGHT_VAULT_KEY': 'a drawing',
  'subscriptions/index trial': 'a drawing',
  'plugins/index plugin.manifest.json:5:14': 'what `tillwright validate` prints, on two lines',
  'plugins/index plugin.manifest.json': 'the files of a folder, of which an author has some',
  'apps/console/README src': 'the files of a folder',
  'apps/offer-funnel/README config': 'the files of a folder',
  'templates/blank/README plugin.manifest.json': 'the files of a folder',
  'templates/checkout/README plugin.manifest.json': 'the files of a folder',
  'templates/funnel/README plugin.manifest.json': 'the files of a folder',
}

test('every snippet is in a language that is checked, or a listing that is named here', () => {
  const read = [...typedLanguages, ...configurationLanguages, 'sh', 'json', 'jsonc']
  const names = Object.keys(mistakes) as OtherProgramName[] // the keys of what it is typed by
  const unread = snippets.filter(
    (each) => each.runBy === null && !read.includes(each.language) && !names.some((name) => isOf(name, each)),
  )
  expect(unread.map(({ page, code }) => `${page} ${/[\w.:]+/.exec(code)?.[0]}`).toSorted()).toEqual(
    Object.keys(listings).toSorted(),
  )
})

test('each quickstart is a project: a release is rehearsed with what its page has, and names the tools that build it', () => {
  const names = Object.keys(quickstarts) as QuickstartName[] // the keys of what it is typed by
  for (const name of names) {
    const { 'package.json': manifest = '', ...files } = quickstartFiles(name)
    const isNext = name === 'Next.js'
    expect(Object.keys(files), name).toContain(
      isNext ? 'app/page.tsx' : name === 'Angular' ? 'src/index.html' : 'index.html',
    )
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
  const { apiUrl, vaultUrl, local } = platform()
  const { apiKey, publishableKey, storeId } = local
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
