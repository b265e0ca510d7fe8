/*
 * The attacker wrote a plugin, or a change of one, that another developer builds and publishes on a machine with
 * secrets: it names a file outside of the plugin's folder, which would be published with it without a word.
 */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../cli/src/testing/run-command.ts'

const SECRET = 'the-secret-of-the-machine'

type Files = Readonly<Record<string, string>>

/** A home with secrets and, below it, a plugin of one page. */
async function home(files: Files, links: Files = {}): Promise<{ plugin: string }> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'home-')))
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  const manifest = { pluginId: 'shop', name: 'Shop', version: '1.0.0', pages: [{ id: 'home', path: '/' }] }
  const all: Files = {
    'secret.json': JSON.stringify({ token: SECRET }),
    'secret.ts': `export default '${SECRET}'\nnew Worker('')`,
    'secret.css': `.a { content: '${SECRET}' }`,
    'secret.png': SECRET,
    'secret.html': `<!doctype html><html><head></head><body>${SECRET}</body></html>`,
    'plugin/plugin.manifest.json': JSON.stringify(manifest),
    'plugin/src/pages/home.ts': 'export {}',
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(top, path)), { recursive: true })
    await writeFile(join(top, path), text.replaceAll('TOP', top))
  }
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(top, path)), { recursive: true })
    await symlink(target.replace('TOP', top), join(top, path))
  }
  return { plugin: join(top, 'plugin') }
}

function build(plugin: string) {
  return runCommand(['build', plugin], { NO_COLOR: '1' })
}

const page = 'plugin/src/pages/home.ts'
const attempts: [what: string, files: Files, links?: Files][] = [
  ['a relative import', { [page]: "import secret from '../../../secret.json'\nconsole.log(secret)" }],
  ['an import that is loaded later', { [page]: "import('../../../secret.ts').then(console.log)" }],
  ['an absolute import', { [page]: "import secret from 'TOP/secret.json'\nconsole.log(secret)" }],
  [
    'a path of tsconfig.json',
    {
      [page]: "import secret from 'mine/secret.json'\nconsole.log(secret)",
      'plugin/tsconfig.json': '{"compilerOptions": {"paths": {"mine/*": ["../*"]}}}',
    },
  ],
  [
    'a link to a file',
    { [page]: "import secret from '../linked.json'\nconsole.log(secret)" },
    { 'plugin/src/linked.json': 'TOP/secret.json' },
  ],
  [
    'a link to a folder',
    { [page]: "import secret from '../linked/secret.json'\nconsole.log(secret)" },
    { 'plugin/src/linked': 'TOP' },
  ],
  ['a link as the document', {}, { 'plugin/src/pages/home.html': 'TOP/secret.html' }],
  ['a link as a public file', {}, { 'plugin/public/file.txt': 'TOP/secret.png' }],
  ['the import of a picture', { [page]: "import url from '../../../secret.png'\nconsole.log(url)" }],
  ['the import of a style', { [page]: "import '../../../secret.css'" }],
  [
    'an import of a style',
    { [page]: "import './home.css'", 'plugin/src/pages/home.css': '@import "../../../secret.css";' },
  ],
  [
    'a picture of a style',
    { [page]: "import './home.css'", 'plugin/src/pages/home.css': '.a { background: url(../../../secret.png) }' },
  ],
  ['an address', { [page]: "console.log(new URL('../../../secret.png', import.meta.url))" }],
  ['a worker', { [page]: "new Worker(new URL('../../../secret.ts', import.meta.url), { type: 'module' })" }],
  [
    'a package that leads out of its folder',
    {
      [page]: "import 'innocent'",
      'node_modules/innocent/package.json': '{"name": "innocent", "main": "index.js"}',
      'node_modules/innocent/index.js': "import secret from '../../secret.json'\nconsole.log(secret)",
    },
  ],
]

test.for(attempts)('%s brings no file from outside into a build', async ([, files, links]) => {
  const { plugin } = await home(files, links)
  const { code, out, err } = await build(plugin)
  expect(code, out + err).toBe(3)
  expect(out + err).toMatch(/leads out of/)
  expect(out + err).not.toContain(SECRET)
})

test('the error names the file, its importer, the place and what to do', async () => {
  const { plugin } = await home({ [page]: "// a\nimport secret from '../../../secret.json'\nconsole.log(secret)" })
  const { out } = await runCommand(['build', plugin, '--json'], {})
  expect(JSON.parse(out).problems).toMatchObject([
    {
      code: 'file-outside',
      severity: 'error',
      file: 'src/pages/home.ts',
      line: 2,
      rule: expect.stringContaining('outside/secret.json'),
      fix: expect.stringContaining('package'),
    },
  ])
})

test('packages of the plugin and of a workspace above it are bundled, also through links', async () => {
  const { plugin } = await home(
    {
      [page]: "import 'hoisted'\nimport '@shop/ui/button'\nimport 'own'\nimport '../parts/local.ts'",
      'plugin/src/parts/local.ts': 'document.title = "local"',
      'node_modules/hoisted/package.json': '{"name": "hoisted", "main": "lib/index.js"}',
      'node_modules/hoisted/lib/index.js': "import '../more.js'\nimport 'own-dependency'",
      'node_modules/hoisted/more.js': 'document.title = "more"',
      'node_modules/hoisted/node_modules/own-dependency/index.js': 'document.title = "dependency"',
      'packages/ui/package.json': '{"name": "@shop/ui", "exports": {"./button": "./src/button.ts"}}',
      'packages/ui/src/button.ts': "import('./color.ts')\nimport 'hoisted'",
      'packages/ui/src/color.ts': 'document.title = "color"',
      'store/own@1/node_modules/own/package.json': '{"name": "own", "main": "index.js"}',
      'store/own@1/node_modules/own/index.js': "import 'beside'",
      'store/own@1/node_modules/beside/index.js': 'document.title = "beside"',
    },
    { 'node_modules/@shop/ui': 'TOP/packages/ui', 'plugin/node_modules/own': 'TOP/store/own@1/node_modules/own' },
  )
  const { code, out, err } = await build(plugin)
  expect(code, out + err).toBe(0)
})
