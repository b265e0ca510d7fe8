import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleOptions, folderWithPackages } from '../../test/bundled-plugin.ts'
import type { Bundle } from './bundle.ts'
import { bundlePlugin } from './bundler.ts'

const page = `import { render } from 'preact'
import styles from './pay.module.css'
import logo from '../logo.png'
import prices from '../prices.json'
render(<img class={styles.logo} src={logo} alt={String(prices.small)} />, document.body)
`
const files = {
  'src/pages/pay.tsx': page,
  'src/pages/pay.module.css': '.logo { width: 1px; background: url(../logo.png) }',
  'src/logo.png': 'image',
  'src/prices.json': '{"small": 100}',
  'public/robots.txt': 'Disallow:',
}

const pathsOf = ({ files: built }: Bundle) => built.map(({ path }) => path)
function textOf({ files: built }: Bundle, path: RegExp | string): string {
  const found = built.find((file) => (typeof path === 'string' ? file.path === path : path.test(file.path)))
  return Buffer.from(found?.bytes ?? []).toString()
}

test('a page becomes a document, a script, a style and the files these refer to', async () => {
  const bundle = await bundlePlugin(bundleOptions(await folderWithPackages(files)))
  expect(bundle.problems).toEqual([])
  expect(
    pathsOf(bundle)
      .map((path) => path.replace(/-[A-Z2-7]{8}\./, '-*.'))
      .toSorted(),
  ).toEqual(
    [
      'assets/logo-*.png',
      'assets/pay-*.css',
      'assets/pay-*.css.map',
      'assets/pay-*.js',
      'assets/pay-*.js.map',
      'pages/pay.html',
      'robots.txt',
    ].toSorted(),
  )
  expect(textOf(bundle, /\.js$/)).toContain('100')
  expect(textOf(bundle, /\.css$/)).toMatch(/^\.\w+\{width:1px;background:url\("?\.\/logo-[A-Z2-7]{8}\.png"?\)\}/)
})

test('the document refers to its files by relative addresses with hashes, and has nothing inline', async () => {
  const pages = [{ id: 'pay', path: '/pay', name: 'Pay & <go>', entry: 'src/pages/pay.tsx' }]
  const bundle = await bundlePlugin(
    bundleOptions(await folderWithPackages(files), { pages, lang: 'de', description: 'For "all" & <now>' }),
  )
  const [script, style] = ['.js', '.css'].map((ending) => pathsOf(bundle).find((path) => path.endsWith(ending)) ?? '')
  const [reported] = bundle.report?.pages ?? []
  expect(textOf(bundle, 'pages/pay.html')).toBe(`<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pay &amp; &lt;go></title>
<meta name="description" content="For &quot;all&quot; &amp; &lt;now>">
<link rel="stylesheet" href="${style}" integrity="${reported?.integrity[style ?? '']}" crossorigin>
<!--tillwright-data-->
<script type="module" src="${script}" integrity="${reported?.integrity[script ?? '']}" crossorigin></script>
</head>
<body>
<div id="app"></div>
</body>
</html>
`)
})

test('the policy of a page is widened by the origins in the manifest, but not for scripts', async () => {
  const root = await folderWithPackages(files)
  const security = {
    connect: ['https://api.example'],
    font: ['https://fonts.example'],
    frame: ['https://maps.example'],
  }
  const { report } = await bundlePlugin(bundleOptions(root, { security }))
  const directives = report?.pages[0]?.csp.split('; ') ?? []
  for (const each of [
    "script-src 'self' https://vault.invalid",
    "style-src 'self'",
    "connect-src 'self' https://api.invalid https://vault.invalid https://api.example",
    "font-src 'self' data: https://fonts.example",
    'frame-src https://vault.invalid https://maps.example',
  ]) {
    expect(directives).toContain(each)
  }
})

test('source maps are separate files, no script refers to them, and they reveal no folder of the machine', async () => {
  const root = await folderWithPackages(files)
  const bundle = await bundlePlugin(bundleOptions(root))
  expect(bundle.files.filter(({ isPublic }) => !isPublic).map(({ path }) => path.replace(/.*\./, ''))).toEqual([
    'map',
    'map',
  ])
  for (const { path, bytes } of bundle.files) {
    expect(Buffer.from(bytes).includes('sourceMappingURL'), path).toBe(false)
    expect(Buffer.from(bytes).includes(root), path).toBe(false)
  }
  const map = JSON.parse(textOf(bundle, /\.js\.map$/))
  expect(map.sources).toContain('src/pages/pay.tsx')
  expect(map.sources).toContain('node_modules/preact/src/render.js')
  expect(map.sourcesContent[map.sources.indexOf('src/pages/pay.tsx')]).toBe(page)
})

test('a change in one page renames its own files, and keeps those of the others', async () => {
  const two = [
    { id: 'pay', path: '/pay', name: 'Pay', entry: 'src/pages/pay.tsx' },
    { id: 'done', path: '/done', name: 'Done', entry: 'src/pages/done.ts' },
  ]
  const root = await folderWithPackages({ ...files, 'src/pages/done.ts': 'document.title = "a"' })
  const before = await bundlePlugin(bundleOptions(root, { pages: two }))
  expect(pathsOf(await bundlePlugin(bundleOptions(root, { pages: two })))).toEqual(pathsOf(before))
  await writeFile(join(root, 'src/pages/done.ts'), 'document.title = "b"')
  const after = pathsOf(await bundlePlugin(bundleOptions(root, { pages: two })))
  const gone = pathsOf(before).filter((path) => !after.includes(path))
  expect(gone.map((path) => path.replace(/-.*?\./, '.'))).toEqual(['assets/done.js', 'assets/done.js.map'])
})

test('an application is one document; lazy imports are split off, and their styles are loaded from the start', async () => {
  const root = await folderWithPackages({
    'src/app.ts': "void import('./later.ts').then(({ later }) => later())",
    'src/later.ts': "import './later.css'\nexport const later = () => document.body.append('later')",
    'src/later.css': 'body { color: red }',
  })
  const pages = ['pay', 'done'].map((id) => ({ id, path: `/${id}`, name: id, entry: 'src/app.ts' }))
  const bundle = await bundlePlugin(bundleOptions(root, { mode: 'spa-mode', pages }))
  expect(
    pathsOf(bundle)
      .filter((path) => !path.endsWith('.map'))
      .map((path) => path.replace(/-.*\./, '.'))
      .toSorted(),
  ).toEqual(['assets/app.css', 'assets/app.js', 'assets/later.js', 'index.html'])
  const { pages: reported = [] } = bundle.report ?? {}
  expect(reported.map(({ id, document }) => [id, document])).toEqual([
    ['pay', 'index.html'],
    ['done', 'index.html'],
  ])
  expect(reported[0]?.lazyFiles).toEqual([expect.stringMatching(/^assets\/later-/)])
  expect(textOf(bundle, 'index.html')).toContain('<title>Shop</title>')
})

test('pages read variables that start with PUBLIC_, first from the process, then from .env, and no others', async () => {
  const root = await folderWithPackages({
    'src/pages/pay.tsx': `const { env } = import.meta
document.title = [import.meta.env.PUBLIC_A, import.meta.env.PUBLIC_B, import.meta.env.MODE].join()
console.log(import.meta.env.SECRET_KEY, import.meta.env.PUBLIC_NONE, env)`,
    '.env': 'PUBLIC_A=file\nPUBLIC_B="of the file"\nSECRET_KEY=not-for-anyone',
  })
  const bundle = await bundlePlugin(bundleOptions(root, { environment: { PUBLIC_A: 'process', HOME: '/home/alice' } }))
  expect(textOf(bundle, /\.js$/)).toContain('["process","of the file","production"]')
  expect(bundle.problems.map(({ code, line, rule }) => [code, line, rule])).toEqual([
    ['unknown-variable', 3, 'Only variables that start with PUBLIC_ are available to pages.'],
    ['unknown-variable', 3, 'PUBLIC_NONE has no value.'],
  ])
  for (const { bytes } of bundle.files)
    expect(Buffer.from(bytes).toString()).not.toMatch(/not-for-anyone|\/home\/alice/)
})

test('a plugin is not built without the variables its manifest requires', async () => {
  const options = bundleOptions(await folderWithPackages(files), { neededVariables: ['PUBLIC_SHOP_URL'] })
  const { files: built, problems } = await bundlePlugin(options)
  expect([built, problems.map(({ code, pointer }) => [code, pointer])]).toEqual([
    [],
    [['missing-variable', '/requirements/environment']],
  ])
})

test('JSX is compiled for React if the plugin depends on it and not on Preact', async () => {
  const runtime = 'export const jsx = (type) => ({ react: type }); export const jsxs = jsx'
  const written = {
    'src/pages/pay.tsx': 'export default <p />; document.title = String(<b />)',
    'node_modules/react/package.json': '{"name": "react", "type": "module"}',
    'node_modules/react/jsx-runtime.js': runtime,
  }
  const build = async (dependencies: object) => {
    const root = await folderWithPackages({ ...written, 'package.json': JSON.stringify({ dependencies }) }, 'plugin')
    return textOf(await bundlePlugin(bundleOptions(root)), /\.js$/)
  }
  expect(await build({ react: '19' })).toContain('react:')
  expect(await build({ react: '19', preact: '10' })).not.toContain('react:')
  expect(await build({})).not.toContain('react:')
})

test('a document of the plugin gets the links at the end of its head; its inline script is in the policy', async () => {
  const own = '<html><head><title>Mine</title><script>go()</script></head><body><main id="here"></main></body></html>'
  const bundle = await bundlePlugin(bundleOptions(await folderWithPackages({ ...files, 'src/pages/pay.html': own })))
  expect(textOf(bundle, 'pages/pay.html')).toMatch(
    /^<html><head><title>Mine<\/title><script>go\(\)<\/script><link rel="stylesheet" .+>\n<!--tillwright-data-->\n<script type="module" .+><\/script>\n<\/head><body>/,
  )
  expect(bundle.report?.pages[0]?.csp).toContain("script-src 'self' 'sha256-")
  const headless = await folderWithPackages({ ...files, 'src/pages/pay.html': '<p>Pay</p>' })
  expect((await bundlePlugin(bundleOptions(headless))).problems).toMatchObject([
    { code: 'document-without-head', file: 'src/pages/pay.html', severity: 'error' },
  ])
})

test('the report lists what each page loads, what pages share, and the largest modules', async () => {
  const root = await folderWithPackages({ ...files, 'src/pages/done.tsx': page.replace('pay.module', 'pay.module') })
  const pages = ['pay', 'done'].map((id) => ({ id, path: `/${id}`, name: id, entry: `src/pages/${id}.tsx` }))
  const { report, files: built } = await bundlePlugin(bundleOptions(root, { pages }))
  const [pay] = report?.pages ?? []
  expect(pay?.files.map(({ path }) => path.replace(/-.*\./, '.'))).toEqual([
    'pages/pay.html',
    'assets/pay.js',
    'assets/chunk.js',
    'assets/pay.css',
  ])
  expect(pay?.bytes).toBe(pay?.files.reduce((sum, { bytes }) => sum + bytes, 0))
  expect(pay?.brotliBytes).toBeLessThan(pay?.bytes ?? 0)
  expect(pay?.biggestInputs[0]).toEqual({
    path: 'node_modules/preact/dist/preact.mjs',
    bytes: expect.any(Number),
  })
  expect(report?.shared.map((file) => file.pages)).toEqual([['pay', 'done']])
  const isPublic = built.filter((file) => file.isPublic)
  expect(report?.publicBytes).toBe(isPublic.reduce((sum, { bytes }) => sum + bytes.length, 0))
})

test('an exceeded budget fails the build and reports the page, its size and the largest module', async () => {
  const root = await folderWithPackages(files)
  const { files: built, report, problems } = await bundlePlugin(bundleOptions(root, { budgets: { pageBytes: 1_000 } }))
  expect(built).toEqual([])
  const bytes = report?.pages[0]?.brotliBytes.toLocaleString('en-US')
  expect(problems.map(({ rule, pointer }) => [rule, pointer])).toEqual([
    [`The page "pay" initially loads ${bytes} B, compressed with brotli; its budget is 1,000 B.`, '/budgets/pageBytes'],
  ])
  expect(problems[0]?.fix).toContain('node_modules/preact/dist/preact.mjs')
  const kept = { pageBytes: report?.pages[0]?.brotliBytes ?? 0, totalBytes: report?.publicBytes ?? 0 }
  expect((await bundlePlugin(bundleOptions(root, { budgets: kept }))).problems).toEqual([])
  const above = { totalBytes: kept.totalBytes - 1 }
  expect((await bundlePlugin(bundleOptions(root, { budgets: above }))).problems).toMatchObject([
    { code: 'over-budget', pointer: '/budgets/totalBytes' },
  ])
})

test.for([
  ['a syntax error', 'const a = 1\nconst ü = (', 'syntax-error', 2, 12],
  ['a module that does not exist', "\n  import './none.ts'", 'unresolved-import', 2, 10],
  ['a missing export', "import { none } from '../prices.json'\nnone()", 'missing-export', 1, 10],
  ['a file of an unknown type', "import '../a.xyz'", 'unknown-file-type', 1, 8],
] as const)('%s is a problem at its position', async ([, code, problem, line, column]) => {
  const root = await folderWithPackages({ ...files, 'src/a.xyz': '', 'src/pages/pay.tsx': code })
  const { files: built, report, problems } = await bundlePlugin(bundleOptions(root))
  expect([built, report]).toEqual([[], null])
  expect(problems).toMatchObject([{ code: problem, severity: 'error', file: 'src/pages/pay.tsx', line, column }])
})

test('a missing entry is a problem that names it', async () => {
  const { problems } = await bundlePlugin(bundleOptions(await folderWithPackages({ 'src/other.ts': '' })))
  expect(problems).toMatchObject([{ code: 'missing-entry', file: 'src/pages/pay.tsx', severity: 'error' }])
})
