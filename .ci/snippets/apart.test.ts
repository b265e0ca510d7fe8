import { mkdtemp, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fenceOf } from '../../apps/docs/src/fences.ts'
import { soaks } from '../soaks.ts'
import { root } from '../spawn-program.ts'
import { pagesApart } from './pages-apart.ts'
import { readSnippets, shellToRun } from './read-snippets.ts'
import { hasNetworkApart, runApart } from './run-apart.ts'

const snippets = readSnippets()
let folder = ''
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'tillwright-apart-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Pages with browser tests of whole plugins, which the plugins' own tests run too. */
const long = ['templates/checkout/AGENTS', 'templates/funnel/AGENTS', 'plugins/dev', 'plugins/publishing']
const pages = Object.keys(pagesApart).filter((page) => soaks || !long.includes(page))

test.concurrent.for(pages)(
  'the shell snippets of %s do what they say on a machine of their own (needs unshare)',
  { timeout: 900_000 },
  async (page, { skip }) => {
    skip(!hasNetworkApart(), 'no network of our own can be made here')
    const own = shellToRun(snippets).filter((each) => each.page === page)
    expect(own.length).toBeGreaterThan(0)
    expect(await runApart(own, pagesApart[page] ?? {}, join(folder, page.replaceAll('/', '-')))).toBeNull()
  },
)

test('a command that fails on a machine of its own is told with what it printed', async ({ skip }) => {
  skip(!hasNetworkApart(), 'no network of our own can be made here')
  const code = 'tillwright payments explain pay_none\n'
  const wrong = { ...fenceOf('sh'), code, page: 'planted', place: 'planted:7', line: 7 }
  expect(await runApart([wrong], {}, join(folder, 'planted'))).toContain('There is no database')
})

/** Tests that take their commands from the text, and a part of their source that proves it. */
const runners: Readonly<Record<string, readonly [file: string, reads: string]>> = {
  'new-login': ['packages/platform/src/storage/postgres/new-login.test.ts', "snippetsRunBy('new-login')"],
  newcomer: ['apps/demo-shop/flows/newcomer/place.ts', "snippetsRunBy('newcomer')"],
  'point-in-time': ['packages/platform/test/storage/point-in-time.test.ts', "snippetsRunBy('point-in-time')"],
  readme: ['packages/emv-3ds/src/readme.test.ts', "'README.md'"],
  rehearsal: ['release/rehearsal/cells.ts', "snippetsRunBy('rehearsal')"],
}

test('a snippet that another test runs names one that reads it, and each of those has one', () => {
  const named = snippets.flatMap(({ runBy }) => (runBy === null ? [] : [runBy]))
  expect(new Set(named)).toEqual(new Set(Object.keys(runners)))
  for (const [file, reads] of Object.values(runners))
    expect(readFileSync(join(root, file), 'utf8'), file).toContain(reads)
})

test('a snippet that is not run says for which of five reasons', () => {
  const left = snippets.filter(({ notRun }) => notRun !== null).map(({ page, notRun }) => `${page} ${notRun}`)
  expect(left.toSorted()).toEqual([
    '3-d-secure/production production',
    'CONTRIBUTING hours',
    'README hours',
    'STYLE excerpt',
    'STYLE excerpt',
    'STYLE excerpt',
    'STYLE excerpt',
    'contributing/benchmarks hours',
    'contributing/chaos hours',
    'contributing/releasing hours',
    'contributing/releasing repository',
    'contributing/simulation hours',
    'operate/README cluster',
    'operate/README cluster',
    'operate/README cluster',
    'operating/backup production',
    'operating/domains production',
    'operating/plugin-files cluster',
    'payments/adyen production',
    'plugins/publishing production',
  ])
  expect(() => fenceOf('sh not-run="no time"')).toThrow(
    'is no reason: say one of cluster, excerpt, hours, production, repository',
  )
})
