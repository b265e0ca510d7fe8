import { execFileSync } from 'node:child_process'
import { symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWithPackages } from '../../test/bundled-plugin.ts'
import { readPublicFolder } from './public-folder.ts'

test('all files below the folder are read but those of tools, of this machine and of operating systems', async () => {
  const root = await folderWithPackages({
    'public/a/b.txt': 'b',
    'public/.well-known/c': 'c',
    'public/.env': 'DATABASE_PASSWORD=hunter2',
    'public/.git/config': 'url = https://ada:token@git.example',
    'public/a/.gitkeep': '',
    'public/.DS_Store': '',
    'public/Thumbs.db': '',
  })
  const { files, problems } = await readPublicFolder(root, 'public')
  expect(files.map(({ path }) => path).toSorted()).toEqual(['.well-known/c', 'a/b.txt'])
  expect(problems).toEqual([])
})

test('a file that is too large to be deployed is named with its size, and is not read', async () => {
  const root = await folderWithPackages({ 'public/film.mp4': '' })
  await truncate(join(root, 'public/film.mp4'), 3 * 1024 ** 3)
  const { problems } = await readPublicFolder(root, 'public')
  expect(problems).toMatchObject([{ code: 'file-too-large', file: 'public/film.mp4' }])
  expect(problems[0]?.rule).toContain('at most 26,214,400 bytes; this one has 3,221,225,472.')
})

test.skipIf(process.platform === 'win32')('a pipe is a problem, and nobody waits for its writer', async () => {
  const root = await folderWithPackages({ 'public/a.txt': 'a' })
  execFileSync('mkfifo', [join(root, 'public/pipe')])
  expect((await readPublicFolder(root, 'public')).problems).toMatchObject([{ code: 'not-a-file', file: 'public/pipe' }])
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
    ['circle', 'circle'],
  ] as const) {
    await symlink(target, join(root, 'public', name))
  }
  const { files, problems } = await readPublicFolder(root, 'public')
  expect(files.map(({ path, bytes }) => `${path} ${Buffer.from(bytes).toString()}`).toSorted()).toEqual([
    'a.txt a',
    'inside b',
  ])
  expect(problems.map(({ file, code }) => `${file} ${code}`).toSorted()).toEqual([
    'public/circle file-unreadable',
    'public/folder not-a-file',
    'public/nowhere file-missing',
    'public/outside link-outside',
  ])
})
