import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { tillwright } from '../testing/tillwright.ts'

const least = { pluginId: 'shop', name: 'Shop', version: '1.0.0', pages: [{ id: 'home', path: '/' }] }
const page = "document.title = 'Shop'\n"

/** A temporary folder with files; objects are written as JSON. */
async function folderWith(files: Readonly<Record<string, string | object>> = {}): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tillwright-author-')))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  return root
}

function sound(files: Readonly<Record<string, string | object>> = {}): Promise<string> {
  return folderWith({ 'plugin.manifest.json': least, 'src/pages/home.ts': page, ...files })
}

/** Runs a command with --json and returns its answer and exit code. */
async function answer(...args: string[]) {
  const { code, out, err } = await runCommand([...args, '--json'], {})
  return { code, err, ...JSON.parse(out) }
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted()
}

test('init turns an empty folder into a valid plugin that builds', async () => {
  const folder = join(await folderWith(), 'my-shop')
  const asked = await answer('init', folder, '--dry-run')
  expect(asked).toMatchObject({ code: 0, pluginId: 'my-shop', dryRun: true, problems: [] })
  const { code, err, out } = await runCommand(['init', folder, '--mode', 'spa-mode'], {})
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain(`cd ${folder}, then tillwright build`)
  expect(await filesOf(folder)).toEqual([
    '.gitignore',
    'plugin-env.d.ts',
    'plugin.manifest.json',
    'src/app.ts',
    'tsconfig.json',
  ])
  expect(await answer('validate', folder)).toMatchObject({ code: 0, valid: true, problems: [] })
  expect(await answer('types', folder)).toMatchObject({ code: 0, changed: false })
  expect(await answer('build', folder)).toMatchObject({ code: 0, problems: [], out: 'dist' })
  expect(await filesOf(join(folder, 'dist'))).toContain('index.html')
})

test('init refuses an existing plugin and a missing name, and a dry run writes nothing', async () => {
  const folder = await sound()
  const again = await answer('init', folder, '--name', 'Other')
  expect(again).toMatchObject({ code: 5, error: { code: 'conflict' } })
  expect(JSON.parse(await readFile(join(folder, 'plugin.manifest.json'), 'utf8'))).toEqual(least)
  expect((await runCommand(['init', folder, '--name', ' '], {})).code).toBe(2)
  const empty = await folderWith()
  await answer('init', empty, '--dry-run')
  expect(await filesOf(empty)).toEqual([])
})

test('init keeps the files of an existing project', async () => {
  const folder = await folderWith({ 'package.json': '{}', 'src/pages/index.ts': page })
  expect(await answer('init', folder)).toMatchObject({ code: 0, files: ['plugin.manifest.json'], problems: [] })
  expect(await filesOf(folder)).toEqual(['package.json', 'plugin.manifest.json', 'src/pages/index.ts'])
})

test('a problem is reported as file, line, column, pointer, rule and fix, with exit code 3', async () => {
  const folder = await sound({ 'plugin.manifest.json': JSON.stringify({ ...least, version: 'one' }, null, 2) })
  const { code, out, err } = await runCommand(['validate', folder], {})
  expect([code, err]).toEqual([3, ''])
  expect(out).toMatch(/^plugin\.manifest\.json:4:14 \/version .+ - .+\.\n$/)
  for (const command of ['types', 'build']) {
    expect(await answer(command, folder)).toMatchObject({ code: 3, problems: [{ pointer: '/version' }] })
  }
  expect(await filesOf(folder)).toEqual(['plugin.manifest.json', 'src/pages/home.ts'])
})

test('scenarios are validated with the plugin that they name pages of', async () => {
  const scenarios = { scenarios: [{ name: 'Paid', card: 'success', page: 'chekout' }] }
  const folder = await sound({ 'scenarios.json': JSON.stringify(scenarios) })
  expect(await answer('validate', folder)).toMatchObject({
    code: 3,
    valid: false,
    problems: [{ file: 'scenarios.json', pointer: '/scenarios/0/page', fix: 'Write one of "home".' }],
  })
  await writeFile(join(folder, 'scenarios.json'), JSON.stringify({ scenarios: [{ name: 'Paid', page: 'home' }] }))
  expect(await answer('validate', folder)).toMatchObject({ code: 0, valid: true, problems: [] })
})

test('--fix repeats until nothing is left to fix, keeps comments, and changes nothing in a dry run', async () => {
  const text = `{\n  // ours\n  "pluginid": "shop", "name": "Shop", "version": "1.0.0",\n  "pages": [{ "id": "home", "path": "/" }],\n}\n`
  const folder = await sound({ 'plugin.manifest.json': text })
  const asked = await answer('validate', folder, '--fix', '--dry-run')
  expect(asked).toMatchObject({ code: 3, valid: false, dryRun: true, files: ['plugin.manifest.json'] })
  expect(await readFile(join(folder, 'plugin.manifest.json'), 'utf8')).toBe(text)
  const { code, out } = await runCommand(['validate', folder, '--fix'], {})
  expect(code).toBe(0)
  expect(out).toMatch(/^Fixed \d in plugin\.manifest\.json:\n[\s\S]+The plugin is valid\.\n$/)
  const fixedText = await readFile(join(folder, 'plugin.manifest.json'), 'utf8')
  expect(fixedText).toContain('// ours')
  expect(fixedText).toContain('"pluginId": "shop"')
})

test('types are written only when they change, follow the manifest, and never overwrite a file written by hand', async () => {
  const folder = await sound()
  expect(await answer('types', folder, '--dry-run')).toMatchObject({ code: 0, changed: true })
  expect(await answer('types', folder)).toMatchObject({ code: 0, changed: true })
  expect(await answer('types', folder)).toMatchObject({ code: 0, changed: false })
  const pages = [{ id: 'home', path: '/:slug' }]
  await writeFile(join(folder, 'plugin.manifest.json'), JSON.stringify({ ...least, pages }))
  expect(await answer('types', folder)).toMatchObject({ code: 0, changed: true })
  expect(await readFile(join(folder, 'plugin-env.d.ts'), 'utf8')).toContain('readonly slug: string')
  await writeFile(join(folder, 'plugin-env.d.ts'), 'type Mine = 1\n')
  expect(await answer('types', folder)).toMatchObject({ code: 5, error: { code: 'conflict' } })
  expect(await readFile(join(folder, 'plugin-env.d.ts'), 'utf8')).toBe('type Mine = 1\n')
})

test('import updates an older plugin with a report, and a second run changes nothing', async () => {
  const older = { ...least, mode: 'proxy-mode', pages: [{ id: 'home', path: '/', features: ['thank-you'] }] }
  const folder = await sound({
    'plugin.manifest.json': older,
    'config/dark.preset.json': { name: 'Dark', config: { colour: '#000' } },
  })
  const asked = await answer('import', folder, '--dry-run')
  expect(asked).toMatchObject({ code: 0, dryRun: true })
  expect(JSON.parse(await readFile(join(folder, 'plugin.manifest.json'), 'utf8'))).toEqual(older)
  const { code, out } = await runCommand(['import', folder], {})
  expect(code).toBe(0)
  expect(out).toContain('plugin.manifest.json /mode')
  expect(await answer('validate', folder)).toMatchObject({ code: 0, valid: true })
  expect((await runCommand(['import', folder], {})).out).toBe('The plugin is already up to date.\n')
})

test('a build replaces the previous one as a whole and is reproducible', async () => {
  const folder = await sound()
  const first = await answer('build', folder)
  expect(first.report.pages).toMatchObject([{ id: 'home', document: 'pages/home.html' }])
  const list = await readFile(join(folder, 'dist/tillwright-build.json'), 'utf8')
  await answer('build', folder)
  expect(await readFile(join(folder, 'dist/tillwright-build.json'), 'utf8')).toBe(list)
  await writeFile(join(folder, 'src/pages/home.ts'), `${page}document.body.className = 'new'\n`)
  const { files } = await answer('build', folder)
  const paths = files.map(({ path }: { path: string }) => path)
  expect(await filesOf(join(folder, 'dist'))).toEqual([...paths, 'tillwright-build.json'].toSorted())
  expect(await readdir(folder)).toEqual(['dist', 'plugin.manifest.json', 'src'])
})

test('a failed build keeps the previous one and reports its problems and sizes', async () => {
  const folder = await sound()
  await answer('build', folder)
  const former = await filesOf(join(folder, 'dist'))
  await writeFile(join(folder, 'plugin.manifest.json'), JSON.stringify({ ...least, budgets: { pageBytes: 1 } }))
  const { code, out } = await runCommand(['build', folder], {})
  expect(code).toBe(3)
  expect(out).toMatch(/^plugin\.manifest\.json:1:\d+ \/budgets\/pageBytes /)
  expect(out).toContain('nothing, because of errors')
  expect(await filesOf(join(folder, 'dist'))).toEqual(former)
})

test('a dry run of a build lists what it would write', async () => {
  const folder = await sound()
  const { out } = await runCommand(['build', folder, '--dry-run', '--out', 'site'], {})
  expect(out).toMatch(/would write +site\n$/)
  expect(await readdir(folder)).toEqual(['plugin.manifest.json', 'src'])
})

test.for([
  ['.', 2],
  ['..', 2],
  ['src', 5],
  ['notes.txt', 5],
  ['link', 5],
  ['public', 2],
  ['public/built', 2],
] as const)('a build does not overwrite %s', async ([out, code]) => {
  const folder = await sound({ 'notes.txt': 'mine', 'public/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' })
  await symlink(join(folder, 'src'), join(folder, 'link'))
  const before = await filesOf(folder)
  expect(await answer('build', folder, '--out', out)).toMatchObject({ code })
  expect(await filesOf(folder)).toEqual(before)
})

test('file system errors are reported in one line', async () => {
  const folder = await folderWith({ 'notes.txt': 'mine' })
  const { code, err } = await runCommand(['init', join(folder, 'notes.txt')], {})
  expect(code).toBe(1)
  expect(err).toMatch(/^error E[A-Z]+: [^\n]+\n$/)
})

test('nothing is written through a link that leaves the folder', async () => {
  const elsewhere = await folderWith({ 'config/keep.txt': 'mine' })
  const folder = await sound()
  await symlink(join(elsewhere, 'types.d.ts'), join(folder, 'plugin-env.d.ts'))
  await writeFile(join(elsewhere, 'types.d.ts'), '// Written by `tillwright types`\n')
  expect(await answer('types', folder)).toMatchObject({ code: 1 })
  expect(await readFile(join(elsewhere, 'types.d.ts'), 'utf8')).toBe('// Written by `tillwright types`\n')
})

test.for([
  [['node', '--version'], 0, `${process.version}\n`],
  [['node', '-p', '"it runs"'], 0, 'it runs\n'],
  [['node', '-e', 'process.exit(3)'], 3, ''],
] as const)('%s is Node with all of its words, output and exit code', async ([words, code, out]) => {
  const run = await tillwright(words)
  expect([await run.ended, run.printed().out]).toEqual([code, out])
})
