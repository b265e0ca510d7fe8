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

test('a file that is found empty is given time to be written, however long ago it says that it was', async () => {
  const path = await newFile('')
  await utimes(path, 1, 1) // what is just being emptied has its former time
  const startedMs = performance.now()
  expect(await readFilled(path)).toBe('')
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(250)
})

test('where there is no file there is no text', async () => {
  const path = await newFile('')
  expect(await readFilled(`${path}x`)).toBe(null)
})
