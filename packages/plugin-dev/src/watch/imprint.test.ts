import { mkdtemp, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { imprint, isBeingEmptied } from './imprint.ts'

test('a file without text that has the time of its text is just being emptied, and one with a time of its own is empty', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'imprint-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'a.ts')
  await writeFile(path, 'text')
  await utimes(path, 1, 1)
  const before = await imprint(path)
  await truncate(path)
  expect(isBeingEmptied(before, await imprint(path))).toBe(false)
  await utimes(path, 1, 1)
  const emptied = await imprint(path)
  expect(isBeingEmptied(before, emptied)).toBe(true)
  expect(isBeingEmptied(emptied, emptied)).toBe(false)
  await rm(path)
  expect(isBeingEmptied(before, await imprint(path))).toBe(false)
  expect(isBeingEmptied('', emptied)).toBe(false)
})
