import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleOptions, folderWithPackages } from '../../test/bundled-plugin.ts'
import { pluginFolder } from '../../test/plugin-folder.ts'
import { bundlePlugin } from './bundler.ts'

const page = { 'src/pages/pay.tsx': 'document.title = import.meta.env.PUBLIC_A + "the-value-of-TOKEN"' }
const variables = 'PUBLIC_A=first\r\nTOKEN=the-value-of-TOKEN\r\n'

async function findingsOf(root: string): Promise<unknown[]> {
  const { problems } = await bundlePlugin(bundleOptions(root))
  return problems.map(({ code, file, rule }) => [code, file, rule])
}

test('a .env with a byte order mark and CR LF has all of its variables', async () => {
  const root = await folderWithPackages({ ...page, '.env': `\uFEFF${variables}` })
  expect(await findingsOf(root)).toEqual([
    ['hidden-variable', 'src/pages/pay.tsx', 'A page must not contain the value of TOKEN from .env.'],
  ])
})

test('a .env that is a link, as to that of a workspace, is read', async () => {
  const [root, elsewhere] = [await folderWithPackages(page), await pluginFolder({ env: variables })]
  await symlink(join(elsewhere, 'env'), join(root, '.env'))
  expect(await findingsOf(root)).toMatchObject([['hidden-variable', 'src/pages/pay.tsx', expect.anything()]])
})

test('a folder called .env, as of Python, is none', async () => {
  const root = await folderWithPackages(page)
  await mkdir(join(root, '.env'))
  expect(await findingsOf(root)).toMatchObject([['unknown-variable', 'src/pages/pay.tsx', 'PUBLIC_A has no value.']])
})

const unreadable: readonly [what: string, make: (path: string) => unknown, code: string][] = [
  ['UTF-16, as PowerShell writes it', (path) => writeFile(path, `\uFEFF${variables}`, 'utf16le'), 'not-utf8'],
  ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path]), 'not-a-file'],
  ['a device without end', (path) => symlink('/dev/zero', path), 'not-a-file'],
]

test.for(unreadable)(
  'a .env that is %s ends the build, whose secrets nobody could look for',
  async ([, make, code]) => {
    const root = await folderWithPackages(page)
    await make(join(root, '.env'))
    expect(await findingsOf(root)).toMatchObject([[code, '.env', expect.stringContaining('.env must be')]])
  },
)
