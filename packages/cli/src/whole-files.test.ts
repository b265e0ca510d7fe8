import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { canMount, fullDisk } from './testing/full-disk.ts'
import { createFile, replaceFile } from './whole-files.ts'

test.runIf(canMount)(
  'on a full disk a file stays as it was, a new one is not there, and nothing lies beside',
  async () => {
    const { folder, makeRoom } = await fullDisk({ 'kept.json': 'old' })
    await expect(replaceFile(join(folder, 'kept.json'), 'new')).rejects.toThrow('ENOSPC')
    await expect(replaceFile(join(folder, 'new.json'), 'new')).rejects.toThrow('ENOSPC')
    await expect(createFile(join(folder, 'made.json'), 'new')).rejects.toThrow('ENOSPC')
    expect((await readdir(folder)).toSorted()).toEqual(['ballast', 'kept.json'])
    expect(await readFile(join(folder, 'kept.json'), 'utf8')).toBe('old')
    await makeRoom()
    await replaceFile(join(folder, 'kept.json'), 'new')
    await createFile(join(folder, 'made.json'), 'made')
    await expect(createFile(join(folder, 'made.json'), 'again')).rejects.toThrow('EEXIST')
    expect(await readFile(join(folder, 'kept.json'), 'utf8')).toBe('new')
    expect(await readFile(join(folder, 'made.json'), 'utf8')).toBe('made')
  },
)

test('a pipe is replaced, and a link that lies where the file is prepared leads nowhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const at = (name: string) => join(folder, name)
  execFileSync('mkfifo', [at('types.d.ts')])
  await replaceFile(at('types.d.ts'), 'new')
  expect(await readFile(at('types.d.ts'), 'utf8')).toBe('new')
  await writeFile(at('elsewhere'), 'kept')
  await symlink(at('elsewhere'), at(`types.d.ts.${process.pid}`))
  await expect(replaceFile(at('types.d.ts'), 'newer')).rejects.toThrow('EEXIST')
  expect(await readFile(at('elsewhere'), 'utf8')).toBe('kept')
  await replaceFile(at('types.d.ts'), 'newer')
  expect(await readFile(at('types.d.ts'), 'utf8')).toBe('newer')
})
