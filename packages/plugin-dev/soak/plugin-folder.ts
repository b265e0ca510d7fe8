import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Edit } from './choose-edit.ts'
import { filesOf } from './files-of.ts'
import { firstWorld, otherWorld, type World } from './world.ts'
import { changedPaths, writeEdit } from './write-edit.ts'

/** A plugin in a repository with two branches. */
export interface PluginFolder {
  root: string
  /** Its current content. */
  world: () => World
  /** The content of the other branch. */
  other: () => World
  /** Makes an edit; the files that it has changed. */
  edit: (edit: Edit, gapMs: number) => Promise<string[]>
  /** Writes what builds and the dev server leave behind. */
  build: (version: number) => Promise<void>
}

/** Makes the folder, which goes when the test is over. */
export async function pluginFolder(): Promise<PluginFolder> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'dev-soak-')))
  onTestFinished(() => rm(top, { recursive: true, force: true, maxRetries: 3 }))
  const root = join(top, 'plugin')
  await mkdir(root)
  await symlink(join(import.meta.dirname, '../node_modules'), join(top, 'node_modules'))
  await writeBranches(root)
  let [world, other, branch] = [firstWorld, otherWorld, 'main']
  return {
    root,
    world: () => world,
    other: () => other,
    async edit({ after, how }, gapMs) {
      const files = { before: filesOf(world), after: filesOf(after) }
      if (how === 'checkout') {
        await commit(root)
        branch = branch === 'main' ? 'other' : 'main'
        await git(root, 'checkout', '--quiet', branch)
        other = world
      } else {
        await writeEdit(root, { ...files, how, gapMs })
      }
      world = after
      return changedPaths(files)
    },
    async build(version) {
      for (const path of ['dist/page.js', '.tillwright/note.txt']) {
        await mkdir(dirname(join(root, path)), { recursive: true })
        await writeFile(join(root, path), `${version}`)
      }
    },
  }
}

async function writeBranches(root: string): Promise<void> {
  const [main, other] = [filesOf(firstWorld), filesOf(otherWorld)]
  await writeEdit(root, { before: {}, after: main, how: 'in turn', gapMs: 0 })
  await git(root, 'init', '--quiet', '--initial-branch', 'main')
  await commit(root)
  await git(root, 'checkout', '--quiet', '-b', 'other')
  await writeEdit(root, { before: main, after: other, how: 'in turn', gapMs: 0 })
  await commit(root)
  await git(root, 'checkout', '--quiet', 'main')
}

async function commit(root: string): Promise<void> {
  await git(root, 'add', '--all')
  await git(root, 'commit', '--quiet', '--allow-empty', '--message', 'As it is')
}

const run = promisify(execFile)

/** Runs git with an identity of its own, whatever is configured on this machine. */
async function git(root: string, ...args: readonly string[]): Promise<void> {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  await run('git', [...author, '-C', root, ...args])
}
