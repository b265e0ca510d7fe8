import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { watchFolder } from './watcher.ts'

interface Seen {
  root: string
  /** The files of each batch, with the content that a page would get. */
  batches: Record<string, string | null>[]
  kinds: Map<string, string[]>
}

async function watched(files: Record<string, string> = {}): Promise<Seen> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'watch-')))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const seen: Seen = { root, batches: [], kinds: new Map() }
  const folder = await watchFolder(root, async (batch) => {
    const texts: Record<string, string | null> = {}
    for (const [path, kind] of batch) {
      const name = relative(root, path)
      seen.kinds.set(name, [...(seen.kinds.get(name) ?? []), kind])
      texts[name] = await readFile(path, 'utf8').catch(() => null)
    }
    seen.batches.push(texts)
  })
  onTestFinished(async () => {
    await folder.stop()
    await rm(root, { recursive: true })
  })
  return seen
}

const lastOf = ({ batches }: Seen, name: string) => batches.findLast((batch) => name in batch)?.[name]

test('of two writes some milliseconds apart the second is what counts, however often it is tried', async () => {
  const seen = await watched({ 'a.css': '' })
  for (let round = 0; round < 12; round += 1) {
    await writeFile(join(seen.root, 'a.css'), `first ${round}`)
    await delay(5 + 3 * round) // the gap between the writes is what is tested
    await writeFile(join(seen.root, 'a.css'), `second ${round}`)
    await expect.poll(() => lastOf(seen, 'a.css'), { interval: 10 }).toBe(`second ${round}`)
  }
})

test('many files at once are one batch or few, and none is missing', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `src/part-${index}.ts`)
  const seen = await watched(Object.fromEntries(names.map((name) => [name, 'before'])))
  await Promise.all(names.map((name) => writeFile(join(seen.root, name), 'after')))
  await expect.poll(() => new Set(names.map((name) => lastOf(seen, name)))).toEqual(new Set(['after']))
  expect(seen.batches.length).toBeLessThan(15)
})

test('a file that goes and comes again, and one that replaces another, end as what they are', async () => {
  const seen = await watched({ 'a.ts': '1', 'b.ts': '1' })
  await rm(join(seen.root, 'a.ts'))
  await expect.poll(() => seen.kinds.get('a.ts')).toContain('unlink')
  await writeFile(join(seen.root, 'a.ts'), '2')
  await writeFile(join(seen.root, 'draft'), '3')
  await rename(join(seen.root, 'draft'), join(seen.root, 'b.ts'))
  await expect.poll(() => [lastOf(seen, 'a.ts'), lastOf(seen, 'b.ts')]).toEqual(['2', '3'])
})

test('what is built, installed and kept is not told of', async () => {
  const seen = await watched({ 'dist/a.js': '', 'node_modules/a/b.js': '', '.tillwright/dev.json': '', 'src/a.ts': '' })
  for (const path of ['dist/a.js', 'node_modules/a/b.js', '.tillwright/dev.json', 'dist/new.js', 'src/a.ts~']) {
    await writeFile(join(seen.root, path), 'changed')
  }
  await writeFile(join(seen.root, 'src/a.ts'), 'changed')
  await expect.poll(() => lastOf(seen, 'src/a.ts')).toBe('changed')
  expect([...seen.kinds.keys()]).toEqual(['src/a.ts'])
})
