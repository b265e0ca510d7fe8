import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from './open-database.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillwright-open-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('without a URL the database is a file in the folder, which is made', async () => {
  const folder = join(newFolder(), 'new', 'state')
  const database = await openDatabase({ folder })
  onTestFinished(() => database.close())
  expect(database.engine).toBe('sqlite')
  expect(existsSync(join(folder, 'tillwright.db'))).toBe(true)
})

test('a URL of another kind is refused without repeating its password', async () => {
  const refusal = await openDatabase({ url: 'mysql://user:secret@host/db', folder: newFolder() }).catch(String)
  expect(refusal).toContain('postgres://')
  expect(refusal).not.toContain('secret')
})
