import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { IncompleteCopy } from './copy-mark.ts'
import { openSqlite } from './open-sqlite.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillwright-copy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A file that a platform has open and has written 813 rows to. */
async function inUse() {
  const file = join(newFolder(), 'tillwright.db')
  const platform = await openSqlite({ file })
  await platform.write([{ sql: 'CREATE TABLE payments (id INTEGER PRIMARY KEY) STRICT', params: [] }])
  for (let id = 0; id < 813; id += 1) void platform.write([{ sql: 'INSERT INTO payments VALUES (?)', params: [id] }])
  await platform.write([{ sql: 'SELECT 1', params: [] }])
  return { file, platform }
}

const copied = (file: string, ...ends: string[]) => {
  const copy = join(newFolder(), 'tillwright.db')
  for (const end of ends) copyFileSync(`${file}${end}`, `${copy}${end}`)
  return copy
}

test('a copy of the file alone, made while a platform was writing, is refused instead of losing 813 payments', async () => {
  const { file, platform } = await inUse()
  const copy = copied(file, '')
  await platform.close()
  const refusal = await openSqlite({ file: copy }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(IncompleteCopy)
  expect(String(refusal)).toMatch(/tillwright\.db-wal, which holds the newest transactions, was not copied/)
  // Requested by name: to go on with less.
  const accepted = await openSqlite({ file: copy, acceptIncompleteCopy: true })
  await accepted.close()
  await (await openSqlite({ file: copy })).close()
})

test('a copy with its log is whole', async () => {
  const { file, platform } = await inUse()
  const copy = copied(file, '', '-wal')
  await platform.close()
  const opened = await openSqlite({ file: copy })
  expect(await opened.read('SELECT count(*) AS n FROM payments', [])).toEqual([{ n: 813 }])
  await opened.close()
})

test('a copy that was put back next to the log of another time is refused', async () => {
  const { file, platform } = await inUse()
  const copy = copied(file, '')
  const log = copied(file, '', '-wal')
  await platform.close()
  const later = await openSqlite({ file })
  const run = copied(file, '.run')
  await later.close()
  copyFileSync(`${log}-wal`, `${copy}-wal`)
  copyFileSync(`${run}.run`, `${copy}.run`)
  await expect(openSqlite({ file: copy })).rejects.toThrow(/-wal does not belong to it/)
})

test('a file that was closed cleanly may be copied alone, and leaves nothing next to it', async () => {
  const { file, platform } = await inUse()
  expect(existsSync(`${file}.run`)).toBe(true)
  await platform.close()
  expect(['-wal', '.run'].map((end) => existsSync(file + end))).toEqual([false, false])
  const opened = await openSqlite({ file: copied(file, '') })
  expect(await opened.read('SELECT count(*) AS n FROM payments', [])).toEqual([{ n: 813 }])
  await opened.close()
})

test('after a crash a file opens in its own place, also when another program has emptied its log since', async () => {
  const { file, platform } = await inUse()
  // The remains of a crash: all files as they are, in their own place.
  const crashed = copied(file, '', '-wal', '.run')
  await platform.close()
  const other = new DatabaseSync(crashed)
  other.exec('SELECT count(*) FROM payments')
  other.close()
  expect(existsSync(`${crashed}-wal`)).toBe(false)
  const opened = await openSqlite({ file: crashed })
  expect(await opened.read('SELECT count(*) AS n FROM payments', [])).toEqual([{ n: 813 }])
  await opened.close()
})
