import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { gitSource } from './git-source.ts'

test('a plugin in a repository says its commit and branch, and whether its own files differ from them', async () => {
  const folder = await newFolder()
  const plugin = join(folder, 'plugin')
  await mkdir(plugin)
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch', 'spring-sale')
  expect(await gitSource(plugin)).toBeNull()
  await writeFile(join(plugin, 'page.js'), '1')
  await writeFile(join(folder, 'other.js'), '1')
  git('add', '.')
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  git(...author, 'commit', '--quiet', '-m', 'A calmer page\n\nWith more room.')
  const commit = git('rev-parse', 'HEAD')
  const source = { commit, branch: 'spring-sale', message: 'A calmer page', modified: false }
  expect(await gitSource(plugin)).toEqual(source)
  await writeFile(join(folder, 'other.js'), '2')
  expect(await gitSource(plugin)).toEqual(source)
  await writeFile(join(plugin, 'page.js'), '2')
  expect(await gitSource(plugin)).toEqual({ ...source, modified: true })
  git('checkout', '--quiet', '--detach')
  expect((await gitSource(plugin))?.branch).toBeNull()
})

test('a plugin outside of any repository has no source', async () => {
  expect(await gitSource(await newFolder())).toBeNull()
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'git-source-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
