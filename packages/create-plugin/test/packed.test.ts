import { spawn } from 'node:child_process'
import { access, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { buildPlugin, readPlugin } from '@tillwright/plugin-build'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFiles } from '../pack-templates.ts'
import manifest from '../package.json' with { type: 'json' }
import { frameworks, languages, templates } from '../src/choices.ts'
import { ended, packCreatePlugin, type PackedCreatePlugin } from './pack-create-plugin.ts'

/** The most that `npm create` may have to load, in bytes. */
const PACKED_MAX_BYTES = 150_000

let packed: PackedCreatePlugin
beforeAll(async () => void (packed = await packCreatePlugin()), 120_000)
afterAll(() => packed?.remove())

/** The answer of `--json`, and the exit code. */
async function answer(...args: string[]) {
  const { code, out, err } = await packed.createPlugin([...args, '--json'])
  return { code, err, ...JSON.parse(out) }
}

/** An empty folder. */
async function newFolder(name: string): Promise<string> {
  await mkdir(join(packed.folder, name))
  return join(packed.folder, name)
}

test('it is packed as one program with its templates, in less than 150 kB', async () => {
  expect((await stat(packed.tarball)).size).toBeLessThan(PACKED_MAX_BYTES)
  const files = Object.keys(await readFiles(join(packed.program, '../../package.json', '..')))
  expect(files).toEqual(['LICENSE', 'README.md', 'package.json'])
  expect(await readdir(join(packed.program, '..'))).toEqual(['LICENSES.txt', 'main.cjs', 'templates.json'])
  const { dependencies, bin } = JSON.parse(await readFile(join(packed.program, '../../package.json'), 'utf8'))
  expect([dependencies, bin]).toEqual([undefined, { 'create-plugin': './dist/main.cjs' }])
})

test('it tells its version, its help, and what is wrong with a command line', async () => {
  expect(await packed.createPlugin(['--version'])).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
  const { code, out } = await packed.createPlugin(['--help'])
  expect([code, out]).toEqual([0, expect.stringContaining('--package-manager')])
  for (const args of [['--colour'], ['--template', 'shop'], ['a', 'b'], ['--name', ' '], ['']]) {
    const wrong = await packed.createPlugin(args)
    expect([wrong.code, wrong.out, wrong.err]).toEqual([2, '', expect.stringMatching(/^error .+--help says/)])
  }
  expect(await answer('--template', 'shop')).toMatchObject({ code: 2, error: { code: 'usage' } })
})

test('the next steps can be copied as they are, also for a folder with spaces', async () => {
  const { out } = await packed.createPlugin([`Ada's "new" shop! ü`, '--no-install', '--yes'])
  expect(out).toContain(String.raw`  cd 'Ada'\''s "new" shop! ü'`)
  expect((await packed.createPlugin(['schön/shop-1', '--no-install', '--yes'])).out).toContain('  cd schön/shop-1\n')
})

test('the folder may be read by whoever may read one that mkdir makes', async () => {
  await packed.createPlugin(['readable', '--no-install', '--yes'])
  const modes = [await stat(join(packed.folder, 'readable')), await stat(await newFolder('made-by-hand'))]
  expect(modes[0]?.mode).toBe(modes[1]?.mode)
})

test.for(['C#/shop', 'shop?'])(
  '%s, a path that the dev server could not serve, is refused before anything is made',
  async (folder) => {
    const refused = await answer(folder, '--no-install')
    expect(refused).toMatchObject({ code: 2, error: { code: 'usage', message: expect.stringContaining('Vite') } })
    expect(await readdir(packed.folder)).not.toContain(folder.split('/')[0])
  },
)

test.for(Object.keys(templates))('what is made of %s is the template that the workspace tests', async (template) => {
  const folder = `copied/${template}`
  const made = await answer(folder, '--template', template, '--no-install', '--name', 'Böckchen & Co')
  expect(made).toMatchObject({ code: 0, err: '', pluginId: 'bockchen-co', installed: false, git: 'none' })
  const files = await readFiles(join(packed.folder, folder))
  expect(Object.keys(files)).toEqual(made.files)
  const { '_pnpm-workspace.yaml': _, ...tested } = await readFiles(
    join(import.meta.dirname, '../../../templates', template),
  )
  const plain = Object.fromEntries(
    Object.entries(tested).map(([path, text]) => [
      path,
      text
        .replace(`"@tillwright/template-${template}"`, '"bockchen-co"')
        .replaceAll('"workspace:*"', `"^${manifest.version}"`)
        .replace(`"pluginId": "${template}"`, '"pluginId": "bockchen-co"')
        .replace(/"name": "(?:Blank|Checkout|Funnel)"/, '"name": "Böckchen & Co"')
        .replace(/^# (?:Blank|Checkout|Funnel)$/m, '# Böckchen & Co'),
    ]),
  )
  expect(files).toEqual(plain)
})

describe('in every language and with either framework', () => {
  const variants = Object.keys(templates).flatMap((template) =>
    Object.keys(languages).flatMap((language) =>
      Object.keys(frameworks).map((framework) => [template, language, framework] as const),
    ),
  )
  const folderOf = (parts: readonly string[]) => join('made', parts.join('-'))

  beforeAll(async () => {
    await packed.addPackages()
    for (const parts of variants) {
      const [template, language, framework] = parts
      const said = ['--template', template, '--language', language, '--framework', framework, '--no-install']
      const { err } = await answer(folderOf(parts), ...said)
      if (err !== '') throw new Error(err)
    }
  })

  test.for(variants)('%s in %s with %s is valid and builds within its budget', async (parts) => {
    const root = join(packed.folder, folderOf(parts))
    const { plugin, problems } = await readPlugin(root)
    expect([plugin?.file.pluginId, problems]).toEqual([parts.join('-'), []])
    const { report, problems: ofBuild } = await buildPlugin(root, { environment: {}, target: null })
    expect(ofBuild).toEqual([])
    expect(report?.pages).toHaveLength(plugin?.file.pages.length ?? 0)
  })

  test('all of them pass their type-check', async () => {
    const tsc = join(packed.folder, 'node_modules/typescript/bin/tsc')
    const projects = variants.map((parts) => join(packed.folder, folderOf(parts)))
    expect(await ended([tsc, '-b', ...projects], packed.folder)).toEqual({ code: 0, out: '', err: '' })
  })

  test('all of them pass their tests', async () => {
    const made = ['--test', '--test-isolation=none', 'made/*/src/**/*.test.{ts,js}']
    const { code, out } = await ended(made, packed.folder)
    expect(out).toMatch(/^ℹ fail 0$/m)
    expect(Number(/^ℹ pass (\d+)$/m.exec(out)?.[1])).toBeGreaterThanOrEqual(4 * (2 + 8 + 11))
    expect(code).toBe(0)
  })

  test('the documents name only files that are there, and packages only where they are used', async () => {
    for (const parts of variants) {
      const files = await readFiles(join(packed.folder, folderOf(parts)))
      const texts = `${files['README.md']}\n${files['AGENTS.md']}`
      for (const [path] of texts.matchAll(/\b(?:src|config)\/[\w/-]+\.\w+/g)) expect(files).toHaveProperty([path])
      const modules = Object.entries(files).filter(([path]) => path.startsWith('src/'))
      const other = parts[2] === 'react' ? /preact/ : /'react/
      expect(modules.filter(([, text]) => other.test(text))).toEqual([])
    }
  })
})

test.for([
  ['ts', 'tsx'],
  ['js', 'jsx'],
] as const)('a language has a short name: %s', async ([language, ending]) => {
  const made = await answer(`in-${language}`, '--language', language, '--no-install')
  expect(made.files).toContain(`src/pages/home.${ending}`)
})

test('a product that is named at the start is sold in every preset', async () => {
  for (const template of ['checkout', 'funnel']) {
    await answer(`sells-${template}`, '--template', template, '--variant', 'variant_1', '--no-install')
    const files = await readFiles(join(packed.folder, `sells-${template}`, 'config/presets'))
    for (const preset of Object.values(files)) expect(JSON.parse(preset)).toMatchObject({ variantId: 'variant_1' })
  }
  expect(await answer('wrong', '--variant', 'a b')).toMatchObject({ code: 2, error: { code: 'usage' } })
})

test('the words of each package manager stand in the files and in what is said', async () => {
  for (const [agent, install, run] of [
    ['pnpm/12.21.0 npm/? node/v26', 'pnpm install --frozen-lockfile', 'pnpm run'],
    ['yarn/1.22.22 npm/? node/v26', 'yarn install --frozen-lockfile', 'yarn run'],
    ['yarn/4.18.1 npm/? node/v26', 'yarn install --immutable', 'yarn run'],
    ['bun/1.3.0 npm/? node/v26', 'bun install --frozen-lockfile', 'bun run'],
    ['npm/11.19.1 node/v26', 'npm ci', 'npm run'],
  ] as const) {
    const folder = `managers/${agent.split(/[.]/)[0]?.replace('/', '-')}`
    const { code, out } = await packed.createPlugin([folder, '--no-install'], { npm_config_user_agent: agent })
    expect([code, out]).toEqual([0, expect.stringContaining(`  ${run} dev\n`)])
    const files = await readFiles(join(packed.folder, folder))
    const { '.github/workflows/ci.yml': ci = '', 'README.md': readme } = files
    expect(ci).toContain(`      - run: ${install}\n`)
    expect(ci).toContain(`      - run: ${run} test:pages #`)
    expect(readme).toContain(`\`${run} build\``)
    expect('.yarnrc.yml' in files).toBe(install.endsWith('--immutable'))
    expect('pnpm-workspace.yaml' in files).toBe(agent.startsWith('pnpm'))
  }
})

test('nothing that is there is written over, and what is in the way is named', async () => {
  const folder = await newFolder('taken')
  await writeFile(join(folder, 'package.json'), 'mine')
  await writeFile(join(folder, 'notes.txt'), 'mine')
  await symlink(packed.folder, join(folder, 'src'))
  const refused = await answer('taken', '--no-install')
  expect(refused).toMatchObject({ code: 5, error: { code: 'conflict' } })
  expect(refused.error.message).toContain('  package.json\n  src\n')
  expect(refused.error.message).not.toContain('README.md')
  expect(await readdir(folder)).toEqual(['notes.txt', 'package.json', 'src'])
  expect(await answer('taken/notes.txt', '--no-install')).toMatchObject({ code: 5 })
})

test('a folder that holds other files keeps them', async () => {
  const folder = await newFolder('kept')
  await writeFile(join(folder, 'LICENSE'), 'mine')
  await mkdir(join(folder, 'src'))
  expect(await answer('kept', '--no-install')).toMatchObject({ code: 0 })
  expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toBe('mine')
  await access(join(folder, 'src/pages/home.tsx'))
  expect((await readdir(folder)).filter((name) => name.startsWith('.create'))).toEqual([])
})

test('a git repository begins with everything in its first commit', async () => {
  const identity = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
  const env = { ...identity, GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com', GIT_CONFIG_GLOBAL: '' }
  const { code, out } = await packed.createPlugin(['repository', '--git', '--no-install', '--json'], env)
  expect([code, JSON.parse(out)]).toMatchObject([0, { git: 'committed', notes: [] }])
  expect(await readdir(join(packed.folder, 'repository/.git'))).toContain('index')
  const inside = await packed.createPlugin(['repository/plugins/one', '--git', '--no-install', '--json'], env)
  expect(JSON.parse(inside.out)).toMatchObject({ git: 'none', notes: [expect.stringContaining('already')] })
})

test('without a name for git the plugin is there all the same, and the commit is left to its author', async () => {
  const env = { GIT_CONFIG_GLOBAL: '', GIT_CONFIG_SYSTEM: '', EMAIL: '', HOME: packed.folder, GIT_AUTHOR_NAME: '' }
  const { code, out, err } = await packed.createPlugin(['nameless', '--git', '--no-install'], env)
  expect([code, err]).toEqual([0, expect.stringMatching(/^note The first commit is yours to make/)])
  expect(out).toContain('cd nameless')
})

describe('while packages are installed', () => {
  /** A program in the place of npm that leaves half of an installation behind, and ends as `last` says. */
  async function npmThat(last: string): Promise<Record<string, string>> {
    const folder = join(packed.folder, '.programs', String(last.length))
    await mkdir(folder, { recursive: true })
    const script = `#!/bin/sh\nmkdir -p node_modules\necho half > node_modules/half.txt\n${last}\n`
    await writeFile(join(folder, 'npm'), script, { mode: 0o755 })
    return { PATH: `${folder}${delimiter}${process.env['PATH']}` }
  }

  test('a failure is reported, and the plugin stays', async () => {
    const env = await npmThat('exit 1')
    const { code, out, err } = await packed.createPlugin(['offline', '--json'], env)
    expect([code, JSON.parse(out)]).toMatchObject([1, { error: { code: 'failed' } }])
    expect(err).toContain('"npm install" failed. The plugin is in offline')
    await access(join(packed.folder, 'offline/plugin.manifest.json'))
  })

  test.for(['gone/deep', 'there'])('Ctrl-C leaves nothing behind in %s', async (name) => {
    const env = await npmThat('exec sleep 60')
    const outer = await newFolder(`interrupted-${name.length}`)
    if (name === 'there') {
      await mkdir(join(outer, name, 'src'), { recursive: true })
      await writeFile(join(outer, name, 'src/mine.ts'), 'mine')
    }
    const before = await readFiles(outer)
    const child = spawn(process.execPath, [packed.program, name], {
      cwd: outer,
      env: { ...process.env, npm_config_user_agent: '', ...env },
    })
    const code = new Promise((resolve) => child.on('close', resolve))
    await expect.poll(() => readFile(join(outer, name, 'node_modules/half.txt'), 'utf8').catch(() => '')).toBe('half\n')
    child.kill('SIGINT')
    expect(await code).toBe(130)
    expect(await readFiles(outer)).toEqual(before)
    expect(await readdir(outer)).toEqual(name === 'there' ? ['there'] : [])
    if (name === 'there') expect(await readdir(join(outer, name))).toEqual(['src'])
  })
})
