import { expect, test } from 'vitest'
import { bundleOptions, folderWithPackages } from '../../test/bundled-plugin.ts'
import { bundlePlugin } from '../bundle/index.ts'

const random = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'

test('a secret is reported once, at its source, and prevents the deployment', async () => {
  const secret = `live_sk_${random}`
  const root = await folderWithPackages({
    'src/pages/pay.tsx': "import { key } from '../key.ts'\nfetch('/', { headers: { key } })",
    'src/key.ts': `\nexport const key =\n  '${secret}'`,
  })
  const { files, problems } = await bundlePlugin(bundleOptions(root))
  expect(files).toEqual([])
  expect(problems).toMatchObject([{ code: 'secret', severity: 'error', file: 'src/key.ts', line: 3, column: 4 }])
  expect(JSON.stringify(problems)).not.toContain(random)
})

test('a secret in a comment is found too, because the source map contains it', async () => {
  const root = await folderWithPackages({ 'src/pages/pay.tsx': `// ghp_${random}\ndocument.title = ''` })
  const { problems } = await bundlePlugin(bundleOptions(root))
  expect(problems).toMatchObject([{ code: 'secret', file: 'src/pages/pay.tsx', line: 1, column: 4 }])
})

test('a secret composed by the minifier is found in the output and reported at its source', async () => {
  const root = await folderWithPackages({ 'src/pages/pay.tsx': `\ndocument.title = 'ghp_' +\n '${random}'` })
  const { problems } = await bundlePlugin(bundleOptions(root))
  expect(problems).toMatchObject([{ code: 'secret', file: 'src/pages/pay.tsx', line: 2 }])
})

test('values of .env are found in scripts, styles, documents, JSON and public files', async () => {
  const value = 'swordfish-42'
  const root = await folderWithPackages({
    '.env.local': `TOKEN=${value}\nNODE_ENV=production\nSAME=production-shop\nPUBLIC_SAME=production-shop`,
    'src/pages/pay.tsx': `import '../a.css'\nimport a from '../a.json'\ndocument.title = a.b + 'production' + import.meta.env.PUBLIC_SAME`,
    'src/a.css': `.a::after { content: '${value}' }`,
    'src/a.json': `{"b": "${value}"}`,
    'src/pages/pay.html': `<html><head></head><body>${value}</body></html>`,
    'public/a.txt': `\n ${value}`,
  })
  const { problems } = await bundlePlugin(bundleOptions(root))
  expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['hidden-variable']))
  const places = problems.map(({ file, line, column }) => `${file}:${line}:${column}`)
  expect(places.filter((place) => /a\.css:1:\d+$/.test(place))).toHaveLength(1)
  expect(places).toContain('public/a.txt:2:2')
  expect(places.some((place) => place.startsWith('src/a.json:1'))).toBe(true)
  expect(places.some((place) => place.startsWith('src/pages/pay.html:'))).toBe(true)
  expect(JSON.stringify(problems)).not.toContain(value)
})

test.for(['live', 'test'] as const)(
  'a build for a %s target accepts only publishable keys of that kind',
  async (target) => {
    const build = async (kind: string) => {
      const pay = `document.title = '${kind}_pk_${random}'`
      return bundlePlugin(bundleOptions(await folderWithPackages({ 'src/pages/pay.tsx': pay }), { target }))
    }
    const other = target === 'live' ? 'test' : 'live'
    expect((await build(target)).problems).toEqual([])
    expect((await build(other)).problems).toMatchObject([
      { code: 'foreign-key', severity: 'error', file: 'src/pages/pay.tsx', line: 1, column: 18 },
    ])
  },
)

test('inputs for cards are found in modules, packages, the plugin’s document and public documents', async () => {
  const root = await folderWithPackages(
    {
      'src/pages/pay.tsx': `import { render } from 'preact'
import 'fields'
const name = 'card' + 'Number'
render(
  <form>
    <input type="text" name={'card' + 'Number'} />
  </form>, document.body)`,
      'src/pages/pay.html': '<html><head></head>\n<body><input autocomplete="cc-number"></body></html>',
      'public/old.html': '<input name="cvv">',
      'node_modules/fields/index.js': 'document.body.innerHTML = \'<input id="card-number">\'',
    },
    'plugin',
  )
  const { files, problems } = await bundlePlugin(bundleOptions(root))
  expect(files).toEqual([])
  expect(problems.map(({ code, file, line }) => [code, file, line])).toEqual([
    ['card-field', 'node_modules/fields/index.js', 1],
    ['card-field', 'public/old.html', 1],
    ['card-field', 'src/pages/pay.html', 2],
    ['card-field', 'src/pages/pay.tsx', 6],
  ])
})
