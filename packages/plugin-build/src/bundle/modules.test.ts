import { expect, test } from 'vitest'
import { bundleOptions, folderWithPackages } from '../../test/bundled-plugin.ts'
import { bundlePlugin } from './bundler.ts'

const build = async (files: Record<string, string>) => bundlePlugin(bundleOptions(await folderWithPackages(files)))
const worker = (specifier: string, options = ", { type: 'module' }") =>
  `// new Worker(new URL('./comment.ts', import.meta.url))\nnew Worker(new URL('${specifier}', import.meta.url)${options})\n`

test('a worker becomes its own script, with what it imports and the workers it starts', async () => {
  const { files, problems } = await build({
    'src/pages/pay.tsx': worker('../workers/first.ts'),
    'src/workers/first.ts': `import { tell } from './tell.ts'\ntell(1)\n${worker('./second.ts')}`,
    'src/workers/second.ts': "import { tell } from './tell.ts'\ntell(2)",
    'src/workers/tell.ts': 'export const tell = (value: number) => postMessage(value)',
  })
  expect(problems).toEqual([])
  const scripts = files.filter(({ path }) => path.endsWith('.js'))
  const text = (name: string) =>
    Buffer.from(scripts.find(({ path }) => path.startsWith(`assets/${name}-`))?.bytes ?? []).toString()
  for (const [from, to] of [
    ['pay', 'first'],
    ['first', 'second'],
  ] as const) {
    const [, named = ''] = /new URL\("\.\/([^"]+)",import\.meta\.url\)/.exec(text(from)) ?? []
    expect(named).toMatch(new RegExp(`^${to}-[A-Z2-7]{8}\\.js$`))
    expect(scripts.map(({ path }) => path)).toContain(`assets/${named}`)
  }
})

test('the source map of a module with a worker has the original source', async () => {
  const pay = worker('../count.ts')
  const { files } = await build({ 'src/pages/pay.tsx': pay, 'src/count.ts': 'postMessage(1)' })
  const maps = files
    .filter(({ path }) => /pay-.*\.map$/.test(path))
    .map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()))
  expect(maps).toMatchObject([{ sources: ['src/pages/pay.tsx'], sourcesContent: [pay] }])
})

test('the address of an image leads to the image', async () => {
  const { files, problems } = await build({
    'src/pages/pay.tsx': "document.title = new URL('../logo.svg', import.meta.url).pathname",
    'src/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  expect(problems).toEqual([])
  const image = files.find(({ path }) => path.endsWith('.svg'))?.path.replace('assets/', './')
  const script = files.find(({ path }) => path.endsWith('.js'))
  expect(Buffer.from(script?.bytes ?? []).toString()).toContain(`"${image}"`)
})

test.for([
  ['that is not there', { 'src/pages/pay.tsx': worker('./none.ts') }, 'unresolved-address'],
  ['that is no module', { 'src/pages/pay.tsx': worker('../w.ts', ''), 'src/w.ts': '' }, 'classic-worker'],
] as const)('a worker %s is a problem at its position', async ([, files, code]) => {
  const { files: built, problems } = await build(files)
  expect(built).toEqual([])
  expect(problems).toMatchObject([{ code, severity: 'error', file: 'src/pages/pay.tsx', line: 2, column: 12 }])
})

test('a composed address is a problem', async () => {
  const pay = "new Worker(new URL('../w' + '.ts', import.meta.url), { type: 'module' })"
  const { problems } = await build({ 'src/pages/pay.tsx': pay, 'src/w.ts': '' })
  expect(problems).toMatchObject([{ code: 'composed-address', severity: 'error', file: 'src/pages/pay.tsx' }])
})
