import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
