import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseEmpty } from './migration.ts'
import { openDatabase, openDatabaseBeside, openOrCreateDatabaseBeside } from './open-database.ts'

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

test('a command creates a database only where it may be the first to use one', async () => {
  const folder = join(newFolder(), 'state')
  await expect(openDatabaseBeside({ folder })).rejects.toBeInstanceOf(DatabaseEmpty)
  expect(existsSync(folder)).toBe(false)
  await (await openOrCreateDatabaseBeside({ folder })).close()
  const platform = await openDatabase({ folder })
  onTestFinished(() => platform.close())
  const beside = await openDatabaseBeside({ folder })
  onTestFinished(() => beside.close())
  expect(await beside.read('SELECT id FROM accounts', [])).toEqual([])
})

test('a URL of another kind is refused without repeating its password', async () => {
  const refusal = await openDatabase({ url: 'mysql://user:secret@host/db', folder: newFolder() }).catch(String)
  expect(refusal).toContain('postgres://')
  expect(refusal).not.toContain('secret')
})
