import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readModule } from '../../../../../.ci/arrows/read-module.ts'
import { databaseConformance } from '../../../test/storage/database.conformance.ts'
import { migrateConformance } from '../../../test/storage/migrate.conformance.ts'
import { type Database, DatabaseUnavailable, type Transaction } from '../database.ts'
import { DatabaseInUse, openSqlite, openSqliteBeside } from './open-sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'tillwright-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const newFile = () => join(folder, `${++files}.db`)

databaseConformance('a SQLite file', () => openSqlite({ file: newFile() }))
migrateConformance('a SQLite file', () => openSqlite({ file: newFile() }))

test('the thread that writes loads four files of its own and no package, because each start of a platform waits for it', () => {
  const loaded = new Set([join(import.meta.dirname, 'writer.ts')])
  const packages: string[] = []
  for (const file of loaded) {
    const { imports } = readModule(file, readFileSync(file, 'utf8'))
    for (const { specifier } of imports.filter(({ kind }) => kind === 'code')) {
      if (specifier.startsWith('.')) loaded.add(join(dirname(file), specifier))
      else if (!specifier.startsWith('node:')) packages.push(specifier)
    }
  }
  const own = ['../shared-statements.ts', 'commit-group.ts', 'connection.ts', 'writer.ts']
  expect([...loaded].map((file) => relative(import.meta.dirname, file)).toSorted()).toEqual(own)
  expect(packages).toEqual([])
})

test('a commit that is reported in the middle of a turn is seen by the reads that follow in that turn', async () => {
  const file = newFile()
  const database = await openSqlite({ file })
  onTestFinished(() => database.close())
  await database.write([{ sql: 'CREATE TABLE t (n INTEGER)', params: [] }])
  const rows = () => database.read('SELECT n FROM t', [])
  // Of one turn: two reads, the transaction on its way to the writer, and the thread held until it is committed.
  const before = immediate().then(() => Promise.all([rows(), rows()]))
  const following = database.write([{ sql: 'INSERT INTO t VALUES (1)', params: [] }]).then(rows)
  setImmediate(() => until(() => rowsIn(file) === 1))
  expect(await before).toEqual([[], []])
  expect(await following).toEqual([{ n: 1 }])
})

test('a file that is damaged, or no database, is refused with what to do, whoever opens it', async () => {
  const file = newFile()
  writeFileSync(file, 'no database, but as long as the head of one'.repeat(400))
  for (const open of [openSqlite, openSqliteBeside]) {
    const refusal = await open({ file }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(DatabaseUnavailable)
    expect(String(refusal)).toContain(`${file} cannot be opened (file is not a database). It is damaged: keep it, and`)
  }
})

test('a file that is open is refused a second time, and free again once closed', async () => {
  const file = newFile()
  const database = await openSqlite({ file })
  const refusal = await openSqlite({ file }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DatabaseInUse)
  expect(String(refusal)).toContain(file)
  await database.close()
  await (await openSqlite({ file })).close()
})

test('a file that another process has open is refused, and what that wrote is there after it was killed', async () => {
  const file = newFile()
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', HOLDER, file], { cwd: import.meta.dirname })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  await expect(openSqlite({ file })).rejects.toBeInstanceOf(DatabaseInUse)
  const exited = once(holder, 'exit')
  holder.kill('SIGKILL')
  await exited
  const database = await openSqlite({ file })
  expect(await database.read('SELECT n FROM t', [])).toEqual([{ n: 1 }])
  await database.close()
})

test('what a command writes while a platform writes all the time is kept, and so is what that writes', async () => {
  const file = newFile()
  const platform = await openSqlite({ file })
  await platform.write([{ sql: 'CREATE TABLE t (id INTEGER PRIMARY KEY, who TEXT)', params: [] }])
  const insert = (who: string) => [{ sql: 'INSERT INTO t (who) VALUES (?)', params: [who] }]
  let atWork = true
  let written = 0
  const clients = Array.from({ length: 16 }, async () => {
    while (atWork) if ((await platform.write(insert('platform'))).outcome === 'committed') written += 1
  })
  for (let n = 0; n < 5; n++) {
    const beside = await openSqliteBeside({ file })
    expect(await beside.write(insert('command'))).toMatchObject({ outcome: 'committed' })
    await beside.close()
  }
  atWork = false
  await Promise.all(clients)
  const counts = 'SELECT who, count(*) AS n FROM t GROUP BY who ORDER BY who'
  expect(await platform.read(counts, [])).toEqual([
    { who: 'command', n: 5 },
    { who: 'platform', n: written },
  ])
  await platform.close()
})

/** Opens the file it is given, writes to it, says so, and stays. */
const HOLDER = `
  import { openSqlite } from './open-sqlite.ts'
  const database = await openSqlite({ file: process.argv[1] })
  await database.write([{ sql: 'CREATE TABLE t (n INTEGER)', params: [] }, { sql: 'INSERT INTO t VALUES (1)', params: [] }])
  console.log('open')
`

test('the log goes back into the file while it is written, and does not grow without end', async () => {
  const file = newFile()
  const database = await openSqlite({ file })
  await database.write([{ sql: 'CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)', params: [] }])
  const replace = { sql: 'INSERT OR REPLACE INTO t VALUES (1, ?)', params: ['x'.repeat(100_000)] }
  for (let written = 0; written < 100_000_000; written += 100_000) await database.write([replace])
  expect(statSync(`${file}-wal`).size).toBeLessThan(40_000_000)
  await database.close()
})

/** A small disk of its own takes root, on Linux. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0

test.runIf(canMount)('a full disk loses nothing, and writing goes on once there is room', async () => {
  const disk = mkdtempSync(join(tmpdir(), 'tillwright-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk])
  onTestFinished(() => {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(1_000_000))
  const file = join(disk, 'full.db')
  const database = await openSqlite({ file })
  await database.write([{ sql: 'CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)', params: [] }])
  const acknowledged = await fill(database)
  await expect(database.write(row(-1))).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(await numbers(database)).toEqual(acknowledged)
  rmSync(join(disk, 'ballast'))
  expect(await database.write(row(acknowledged.length))).toMatchObject({ outcome: 'committed' })
  await database.close()
  const reopened = await openSqlite({ file })
  expect(await numbers(reopened)).toEqual([...acknowledged, acknowledged.length])
  await reopened.close()
})

/** Writes, four transactions at a time, until the disk is full. */
async function fill(database: Database): Promise<readonly number[]> {
  const acknowledged: number[] = []
  for (let n = 0; ; n += 4) {
    const four = [n, n + 1, n + 2, n + 3]
    const results = await Promise.allSettled(four.map((each) => database.write(row(each))))
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    for (const error of errors) expect(error).toBeInstanceOf(DatabaseUnavailable)
    acknowledged.push(...four.filter((_, i) => results[i]?.status === 'fulfilled'))
    if (errors.length > 0) return acknowledged
  }
}

function row(n: number): Transaction {
  return [{ sql: 'INSERT INTO t VALUES (?, ?)', params: [n, 'x'.repeat(10_000)] }]
}

async function numbers(database: Database): Promise<readonly unknown[]> {
  return (await database.read('SELECT n FROM t ORDER BY n', [])).map(({ n }) => n)
}

/** Holds the thread until something is so. */
function until(isSo: () => boolean): void {
  while (!isSo());
}

function rowsIn(file: string): number {
  const connection = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(connection.prepare('SELECT count(*) AS n FROM t').get()?.['n'])
  } finally {
    connection.close()
  }
}
