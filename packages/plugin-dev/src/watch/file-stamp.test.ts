import { mkdtemp, open, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileStamp, isBeingEmptied, readWhenWritten } from './file-stamp.ts'

async function newFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'filled-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'a.ts'), text)
  return join(folder, 'a.ts')
}

test('a file that has been emptied to be written anew is read when it is written', async () => {
  const path = await newFile('before')
  const file = await open(path, 'w')
  const read = readWhenWritten(path)
  await file.writeFile('after')
  await file.close()
  expect(await read).toBe('after')
})

test('a file that is found empty is given time to be written, however long ago it says that it was', async () => {
  const path = await newFile('')
  await utimes(path, 1, 1) // a file that is being truncated keeps its former time
  const startedMs = performance.now()
  expect(await readWhenWritten(path)).toBe('')
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(250)
})

test('where there is no file there is no text', async () => {
  const path = await newFile('')
  expect(await readWhenWritten(`${path}x`)).toBe(null)
})

test('a file without text that has the time of its text is just being emptied, and one with a time of its own is empty', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'file-stamp-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'a.ts')
  await writeFile(path, 'text')
  await utimes(path, 1, 1)
  const before = await fileStamp(path)
  await truncate(path)
  expect(isBeingEmptied(before, await fileStamp(path))).toBe(false)
  await utimes(path, 1, 1)
  const emptied = await fileStamp(path)
  expect(isBeingEmptied(before, emptied)).toBe(true)
  expect(isBeingEmptied(emptied, emptied)).toBe(false)
  await rm(path)
  expect(isBeingEmptied(before, await fileStamp(path))).toBe(false)
  expect(isBeingEmptied('', emptied)).toBe(false)
})
