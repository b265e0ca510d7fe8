import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { gitSource, undoneCommit } from './git-source.ts'

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

test('a folder whose history lacks the commit that is active says what would be undone', async () => {
  const folder = await newFolder()
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim()
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  const commit = async (text: string) => {
    await writeFile(join(folder, 'page.js'), text)
    git('add', '.')
    git(...author, 'commit', '--quiet', '-m', text)
    return { commit: git('rev-parse', 'HEAD'), message: text }
  }
  git('init', '--quiet', '--initial-branch', 'main')
  expect(await undoneCommit(folder, { commit: 'a'.repeat(40) })).toEqual([]) // before the first commit
  const [older, newer] = [await commit('A page'), await commit('A calmer page')]
  expect(await undoneCommit(folder, older)).toEqual([])
  expect(await undoneCommit(folder, newer)).toEqual([])
  git('checkout', '--quiet', older.commit)
  const [risk] = await undoneCommit(folder, newer)
  expect(risk?.code).toBe('commit_missing')
  expect(risk?.message).toContain(`${newer.commit.slice(0, 8)}, "A calmer page"`)
  expect(await undoneCommit(folder, { commit: 'a'.repeat(40) })).toHaveLength(1) // a colleague's, not fetched
  expect(await undoneCommit(folder, { commit: '--all' })).toEqual([])
  const [coloured] = await undoneCommit(folder, { commit: newer.commit, message: 'A \u001B[2Jpage' })
  expect(coloured?.message).toContain('"A [2Jpage"')
  expect(await undoneCommit(folder, null)).toEqual([])
  const shallow = join(await newFolder(), 'clone')
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${folder}`, shallow], { stdio: 'ignore' })
  expect(await undoneCommit(shallow, newer)).toEqual([])
  expect(await undoneCommit(await newFolder(), newer)).toEqual([])
})

test('a plugin outside of any repository has no source', async () => {
  expect(await gitSource(await newFolder())).toBeNull()
})

test.each<[string, { settings: Record<string, string>; files?: Record<string, string>; lacksTree?: true }]>([
  ['a monitor of files', { settings: { 'core.fsmonitor': 'RUN' } }],
  ['a program for signatures', { settings: { 'gpg.program': 'RUN', 'log.showSignature': 'true' } }],
  ['a filter', { settings: { 'filter.own.clean': 'RUN' }, files: { '.git/info/attributes': '* filter=own' } }],
  [
    'a filter in another file of settings',
    {
      settings: { 'include.path': 'more' },
      files: { '.git/more': '[filter "own"]\n  clean = RUN', '.git/info/attributes': '* filter=own' },
    },
  ],
  ['a hook', { settings: {}, files: { '.git/hooks/post-index-change': '#!/bin/sh\nRUN' } }],
  [
    'a remote that has what is missing',
    {
      settings: { 'extensions.partialClone': 'far', 'remote.far.url': 'ext::RUN', 'protocol.ext.allow': 'always' },
      lacksTree: true,
    },
  ],
])('a repository from somebody else runs no program of its own: %s', async (_, { settings, files = {}, lacksTree }) => {
  const folder = await newFolder()
  const program = join(folder, 'program')
  await writeFile(program, `#!/bin/sh\ntouch '${join(folder, 'ran')}'\n`, { mode: 0o755 })
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'ignore'] }).trim()
  git(['init', '--quiet', '--initial-branch', 'main'])
  await writeFile(join(folder, 'page.js'), '1')
  git(['add', 'page.js'])
  const tree = git(['write-tree'])
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----'
  const commit = `tree ${tree}\nauthor A <a@b> 0 +0000\ncommitter A <a@b> 0 +0000\n${signature}\n\nA page\n`
  git(['update-ref', 'HEAD', git(['hash-object', '-t', 'commit', '-w', '--stdin'], commit)])
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text.replace('RUN', program), { mode: 0o755 })
  }
  for (const [name, value] of Object.entries(settings)) git(['config', name, value.replace('RUN', program)])
  await writeFile(join(folder, 'page.js'), '1') // its time is another one now
  if (lacksTree) await rm(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)))
  await gitSource(folder)
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'git-source-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
