import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWithPackages } from '../../test/bundled-plugin.ts'
import { readPublicFolder } from './bundler.ts'

test('all files below the folder are read, including hidden ones, but not those left by operating systems', async () => {
  const root = await folderWithPackages({ 'public/a/b.txt': 'b', 'public/.well-known/c': 'c', 'public/.DS_Store': '' })
  const { files, problems } = await readPublicFolder(root, 'public')
  expect(files.map(({ path }) => path).toSorted()).toEqual(['.well-known/c', 'a/b.txt'])
  expect(problems).toEqual([])
})

test('a folder that does not exist has no files', async () => {
  const root = await folderWithPackages({ 'a.txt': '' })
  expect(await readPublicFolder(root, 'public')).toEqual({ files: [], problems: [] })
  expect(await readPublicFolder(root, null)).toEqual({ files: [], problems: [] })
})

test('links out of the plugin, broken links and links to folders are problems; links to files inside are files', async () => {
  const root = await folderWithPackages({ 'public/a.txt': 'a', 'other/b.txt': 'b' }, 'plugin')
  await writeFile(join(root, '../outside.txt'), 'secret')
  for (const [name, target] of [
    ['inside', '../other/b.txt'],
    ['outside', '../../outside.txt'],
    ['nowhere', 'none'],
    ['folder', '../other'],
  ] as const) {
    await symlink(target, join(root, 'public', name))
  }
  const { files, problems } = await readPublicFolder(root, 'public')
  expect(files.map(({ path, bytes }) => `${path} ${Buffer.from(bytes).toString()}`).toSorted()).toEqual([
    'a.txt a',
    'inside b',
  ])
  expect(problems.map(({ file, code }) => `${file} ${code}`).toSorted()).toEqual([
    'public/folder unreadable-file',
    'public/nowhere unreadable-file',
    'public/outside link-outside',
  ])
})
