import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Content, ContentFile } from './content.ts'
import { makePlan } from './plan.ts'
import type { Remote, RemoteDeployment } from './remote.ts'

const file = (path: string, sha256 = path, size = 10): ContentFile => ({
  path,
  sha256,
  size,
  contentType: 'text/plain',
})
const manifest = (paths: readonly string[], more: Partial<Content['manifest']> = {}): Content['manifest'] => ({
  name: 'Shop',
  version: '1.1.0',
  tags: [],
  mode: 'direct-mode',
  pages: paths.map((path) => ({ id: path, path, remappable: false, features: [] })),
  ...more,
})
const content = (change: Partial<Content> = {}): Content => ({
  pluginId: 'shop',
  version: '1.1.0',
  manifestVersion: '1.1.0',
  manifest: manifest(['/', '/thanks']),
  files: [file('index.html'), file('app.js')],
  settings: { schema: null, uiSchema: null, presets: {}, templates: {} },
  ...change,
})
const deployment = (change: Partial<RemoteDeployment> = {}): RemoteDeployment => ({
  id: 'dep_1',
  version: '1.0.0',
  url: 'http://a.plugins.localhost',
  manifest: manifest(['/', '/thanks']),
  files: [file('index.html'), file('app.js')],
  revision: 3,
  sourceData: null,
  hosts: [],
  ...change,
})
const limits = { fileBytes: 1_000, files: 10, deploymentBytes: 2_000 }
const settings = { updated: [], conflicts: [], invalid: [] }
const remote = (change: Partial<Remote> = {}): Remote => ({
  active: deployment(),
  sameVersion: null,
  missing: [],
  settingsOf: 'dep_1',
  settings,
  limits,
  ...change,
})
const target = { apiUrl: 'http://localhost:4400', environment: 'local', accountId: 'acc_1', storeId: 'store_1' }
const plan = (what: Partial<Content> = {}, where: Partial<Remote> = {}) =>
  makePlan(content(what), remote(where), target)
const risksOf = (what: Partial<Content>, where: Partial<Remote> = {}) => plan(what, where).risks.map(({ code }) => code)

test('content that was never deployed is entirely new, and has no risks', () => {
  const missing = ['index.html', 'app.js']
  expect(plan({}, { active: null, settings: null, missing })).toMatchObject({
    base: { deploymentId: null, version: null, revision: null },
    files: { new: [{ path: 'index.html', size: 10 }, { path: 'app.js' }], changed: [], removed: [] },
    upload: { files: 2, bytes: 20 },
    pages: { added: ['/', '/thanks'], removed: [] },
    risks: [],
    isNothing: false,
  })
})

test('if exactly this content is active, there is nothing to do', () => {
  expect(plan()).toMatchObject({
    isNothing: true,
    upload: { files: 0, bytes: 0 },
    files: { same: { files: 2, bytes: 20 } },
  })
  expect(plan({}, { settings: { ...settings, updated: ['dark'] } }).isNothing).toBe(false)
  expect(plan({ manifest: manifest(['/', '/thanks'], { tags: ['a'] }) }).isNothing).toBe(false)
})

test('a file is new, changed, removed or unchanged, and is sent only if the platform does not have its content', () => {
  const files = [file('index.html', 'other'), file('app.js'), file('copy.js', 'other'), file('held.js', 'held')]
  const active = deployment({ files: [file('index.html'), file('app.js'), file('old.js')] })
  expect(plan({ files }, { active, missing: ['other'] })).toMatchObject({
    files: {
      new: [{ path: 'copy.js' }, { path: 'held.js' }],
      changed: [{ path: 'index.html' }],
      removed: [{ path: 'old.js' }],
      same: { files: 1, bytes: 10 },
    },
    upload: { files: 1, bytes: 10 },
  })
})

test('a change of the manifest is reported by pointer, with both values', () => {
  const { manifest: changes, pages } = plan({ manifest: manifest(['/', '/danke'], { 'a/b': 1 }) })
  expect(changes).toEqual([
    { pointer: '/a~1b', after: 1 },
    { pointer: '/pages/1/id', before: '/thanks', after: '/danke' },
    { pointer: '/pages/1/path', before: '/thanks', after: '/danke' },
  ])
  expect(pages).toEqual({ added: ['/danke'], removed: ['/thanks'] })
})

describe('a risk', () => {
  test.for([
    ['an older version', { version: '1.0.0-rc.1' }, {}, 'downgrade'],
    ['another mode', { manifest: manifest(['/', '/thanks'], { mode: 'spa-mode' }) }, {}, 'mode_changed'],
    ['a removed page', { manifest: manifest(['/']) }, {}, 'page_removed'],
    ['another default page', { manifest: manifest(['/thanks', '/']) }, {}, 'default_page_changed'],
    ['an existing version', {}, { sameVersion: deployment({ version: '1.1.0' }) }, 'overwrites_version'],
    ['a conflicting edit', {}, { settings: { ...settings, conflicts: ['/presets/dark/colour'] } }, 'settings_conflict'],
    [
      'a preset that the schema no longer allows',
      {},
      { settings: { ...settings, invalid: [{ preset: 'dark', pointer: '/colour', message: 'must be a string' }] } },
      'settings_invalid',
    ],
  ] as const)('is the risk %s, and no other', ([, what, where, code]) => {
    expect(risksOf(what, where)).toEqual([code])
  })

  test('the risk of a removed page names the domains that show it', () => {
    const [risk] = plan({ manifest: manifest(['/']) }, { active: deployment({ hosts: ['pay.shop.example'] }) }).risks
    expect(risk?.message).toContain('pay.shop.example')
  })

  test('a newer version, a new page and new files are no risks', () => {
    expect(risksOf({ version: '2.0.0', manifest: manifest(['/', '/thanks', '/more']), files: [file('x')] })).toEqual([])
  })
})

test('the hash of the content does not depend on its order', () => {
  const { pages, mode, ...rest } = manifest(['/', '/thanks'])
  expect(plan({ manifest: { pages, mode, ...rest } }).content).toBe(plan().content)
  for (const other of [
    { version: '1.1.1' },
    { files: [file('a')] },
    { settings: { ...content().settings, schema: {} } },
  ]) {
    expect(plan(other).content).not.toBe(plan().content)
  }
})

test('new, changed and unchanged files are those of the content, each once, and only missing ones are sent', () => {
  const files = fc.uniqueArray(
    fc.record({ path: fc.constantFrom(...'abcdef'), sha256: fc.constantFrom(...'123456'), size: fc.nat(99) }),
    { selector: ({ path }) => path },
  )
  const typed = (list: { path: string; sha256: string; size: number }[]) =>
    list.map((each) => ({ ...each, contentType: 'text/plain' }))
  fc.assert(
    fc.property(files, files, fc.subarray([...'123456']), (before, after, missing) => {
      const made = plan({ files: typed(after) }, { active: deployment({ files: typed(before) }), missing })
      const { new: added, changed, same } = made.files
      expect(added.length + changed.length + same.files).toBe(after.length)
      const wanted = new Set(after.map(({ sha256 }) => sha256).filter((sha256) => missing.includes(sha256)))
      expect(made.upload.files).toBe(wanted.size)
    }),
  )
})
