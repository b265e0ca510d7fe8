import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { leastFile, pluginFolder } from '../../test/plugin-folder.ts'
import { buildPlugin } from '../build-plugin.ts'
import { readJsxRuntime } from '../bundle/index.ts'
import { readPlugin } from './plugin.ts'

const FILE = 'plugin.manifest.json'
const sound = JSON.stringify(leastFile)

const problemsOf = async (root: string) =>
  (await readPlugin(root)).problems.map(({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`)

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

test.for([
  ['nothing in it', '', ['error syntax 1:1']],
  ['a comment alone', '// none\n', ['error syntax 2:1']],
  ['an array', '[]', ['error wrong-type 1:1']],
  ['text', '"plugin"', ['error wrong-type 1:1']],
  ['a missing comma', '{ "a": 1\n  "b": 2 }', ['error syntax 2:3']],
  ['an open brace', '{ "a": {', ['error syntax 1:9']],
  ['something behind it', `${sound} x`, ['error syntax 1:88']],
  ['a byte order mark', `\uFEFF${sound}`, ['warning byte-order-mark 1:1']],
  ['a trailing comma', sound.replace(/\}$/, ',\n}'), ['warning trailing-comma 1:86']],
  ['a duplicate key', sound.replace(/\}$/, ',\n"name":"Other"}'), ['error duplicate-key 2:1']],
  [
    'a key called __proto__',
    sound.replace(/\}$/, ',\n"__proto__":{"mode":"spa-mode"}}'),
    ['warning unknown-key 2:1', 'error forbidden-key 2:1'],
  ],
  ['a number that is not kept', sound.replace(/\}$/, ',"x-n":\n12345678901234567890}'), ['error number-inexact 2:1']],
  ['a number without end', sound.replace(/\}$/, ',"x-n":\n1e400}'), ['error number-inexact 2:1']],
  ['nested arrays', '['.repeat(100_000), ['error too-deep 1:65']],
  ['UTF-16', utf16(sound), ['error not-utf8 1:1']],
  ['an invalid UTF-8 byte', Buffer.concat([Buffer.from('{\n "é'), Buffer.from([0xe9])]), ['error not-utf8 2:4']],
  ['a NUL', '{\0}', ['error syntax 1:2']],
  ['more than 1 MiB', `${sound}${' '.repeat(1_048_576)}`, ['error file-too-large 1:1']],
] as const)('a file with %s', async ([, text, problems]) => {
  const root = await pluginFolder({ [FILE]: text, 'src/pages/home.ts': '' })
  const found = await problemsOf(root)
  expect(found.toSorted()).toEqual([...problems].toSorted())
})

test('a key called __proto__ has no effect', async () => {
  await problemsOf(
    await pluginFolder({ [FILE]: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}' }),
  )
  expect(Object.prototype).not.toHaveProperty('polluted')
})

test('a missing folder or file, and a folder or pipe instead of a file, are reported', async () => {
  expect(await problemsOf('/nowhere/at/all')).toEqual(['error file-missing 1:1'])
  const root = await pluginFolder({})
  expect(await problemsOf(root)).toEqual(['error file-missing 1:1'])
  await mkdir(join(root, FILE))
  expect(await problemsOf(root)).toEqual(['error not-a-file 1:1'])
})

test.skipIf(process.platform === 'win32')(
  'a pipe without a writer, and links that lead out or in a circle, are reported',
  async () => {
    const outside = await pluginFolder({ [FILE]: leastFile, 'home.ts': '' })
    const root = await pluginFolder({})
    execFileSync('mkfifo', [join(root, FILE)])
    expect(await problemsOf(root)).toEqual(['error not-a-file 1:1'])

    const linked = await pluginFolder({})
    await symlink(join(outside, FILE), join(linked, FILE))
    expect(await problemsOf(linked)).toEqual(['error outside-folder 1:1'])

    const circle = await pluginFolder({})
    await symlink(FILE, join(circle, FILE))
    expect(await problemsOf(circle)).toEqual(['error file-unreadable 1:1'])

    const entry = await pluginFolder({ [FILE]: { ...leastFile, pages: [{ id: 'home', path: '/', entry: 'home.ts' }] } })
    await symlink(join(outside, 'home.ts'), join(entry, 'home.ts'))
    expect((await readPlugin(entry)).problems).toMatchObject([{ code: 'entry-missing', pointer: '/pages/0/entry' }])
  },
)

test.skipIf(process.platform === 'win32')(
  'pipes, sockets and devices in the place of a file that is built are reported, instead of being waited for',
  async () => {
    const files = { [FILE]: leastFile, 'src/pages/home.ts': "import './word.ts'\nimport './logo.png'\n" }
    const root = await pluginFolder(files)
    const pipes = ['package.json', 'tsconfig.json', 'src/pages/word.ts', 'src/pages/logo.png', 'index.html']
    for (const path of [...pipes, '.git/pipe.ts', 'node_modules/pipe.ts', 'src/events']) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      execFileSync('mkfifo', [join(root, path)])
    }
    await symlink('/dev/zero', join(root, 'src/more.ts'))
    const server = createServer()
    await once(server.listen(join(root, 'src/socket.ts')), 'listening')
    onTestFinished(() => void server.close())
    const { files: built, problems } = await buildPlugin(root, { environment: {}, target: null })
    expect(built).toEqual([])
    expect(readJsxRuntime(root)).toBe('preact') // the dev server asks for it in any case
    expect(problems.map(({ code, file }) => `${code} ${file}`).toSorted()).toEqual(
      [...pipes, 'src/more.ts', 'src/socket.ts'].map((file) => `not-a-file ${file}`).toSorted(),
    )
  },
)
