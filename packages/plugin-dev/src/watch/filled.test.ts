import { mkdtemp, open, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readFilled } from './filled.ts'

async function newFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'filled-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'a.ts'), text)
  return join(folder, 'a.ts')
}

test('a file that has been emptied to be written anew is read when it is written', async () => {
  const path = await newFile('before')
  const file = await open(path, 'w')
  const read = readFilled(path)
  await file.writeFile('after')
  await file.close()
  expect(await read).toBe('after')
})

test('a file that has been empty for long is empty, and none is nothing', async () => {
  const path = await newFile('')
  await utimes(path, 1, 1)
  expect(await readFilled(path)).toBe('')
  expect(await readFilled(`${path}x`)).toBe(null)
})
